import { DistqError } from '../../base/errors.js';
import { type TableProvider } from '../../catalog/data-source.js';
import { unknownStatistics } from '../../catalog/statistics.js';
import { field } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import { bindQuery } from '../../sql/binder/bind-query.js';
import type { CreateViewStatement, Statement } from '../../sql/parser/statement.js';
import type { SessionContext } from '../session-context.js';
import { nameText } from './names.js';

/** CREATE VIEW: keeps the statement's text. The query is bound at once, so that a view that cannot work is refused here. */
export async function createView(
  statement: CreateViewStatement & Pick<Statement, 'span' | 'text'>,
  session: SessionContext,
): Promise<void> {
  const { span } = statement;
  const name = nameText(statement.name);
  if (session.catalog.has(name) && !statement.orReplace) {
    const what = session.catalog.isView(name) ? 'view' : 'table';
    throw new DistqError('plan', `${what} "${name}" exists already`, { span, hint: 'write CREATE OR REPLACE VIEW' });
  }
  const { catalog, config, registries } = session;
  const plan = await bindQuery(statement.query, { catalog, functions: registries.functions, config });
  const names = statement.columns.map((column) => nameText([column]));
  if (names.length > 0 && names.length !== plan.schema.length) {
    throw new DistqError(
      'plan',
      `view "${name}" names ${names.length} columns and its query has ${plan.schema.length}`,
      {
        span,
      },
    );
  }
  const fields = plan.schema.toSchema().fields.map((f, index) => field(names[index] ?? f.name, f.type, f.nullable));
  catalog.registerTable(name, viewTable(new Schema(fields), statement.text));
}

/** A view as a table: the binder inlines its SQL and never scans it. */
function viewTable(schema: Schema, viewSql: string): TableProvider {
  return {
    schema,
    viewSql,
    statistics: () => unknownStatistics(schema.length),
    scan() {
      throw new DistqError('internal', 'a view is inlined and never scanned');
    },
  };
}
