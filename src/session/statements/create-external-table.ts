import { DistqError, notImplemented } from '../../base/errors.js';
import type { CreateExternalTableStatement, Statement } from '../../sql/parser/statement.js';
import type { SessionContext } from '../session-context.js';
import { nameText } from './names.js';

/** CREATE EXTERNAL TABLE … STORED AS PARQUET LOCATION '…': the columns come from the files. */
export async function createExternalTable(
  statement: CreateExternalTableStatement & Pick<Statement, 'span'>,
  session: SessionContext,
): Promise<void> {
  const { span } = statement;
  const name = nameText(statement.name);
  if (session.catalog.has(name) && !statement.orReplace) {
    if (statement.ifNotExists) return;
    throw new DistqError('plan', `table "${name}" exists already`, { span, hint: 'write CREATE OR REPLACE' });
  }
  if (statement.fileType !== 'PARQUET') {
    throw notImplemented(`STORED AS ${statement.fileType}`, { span, hint: 'PARQUET is' });
  }
  if (statement.unbounded) throw notImplemented('an UNBOUNDED table', { span });
  if (statement.columns.length > 0) {
    throw notImplemented('a column list for Parquet files', {
      span,
      hint: 'leave it out: the files know their columns',
    });
  }
  if (statement.partitionedBy.length > 0) throw notImplemented('PARTITIONED BY', { span });
  if (statement.orders.length > 0) throw notImplemented('WITH ORDER', { span });
  if (statement.options.length > 0) throw notImplemented('OPTIONS for Parquet files', { span });
  const [location, ...more] = statement.locations;
  if (location === undefined || more.length > 0) throw notImplemented('a table of several locations', { span });
  await session.catalog.register(name, location);
}
