import { DistqError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest-names.js';
import { typeName } from '../../columnar/data-type.js';
import type { Schema } from '../../columnar/schema.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { bindQuery } from '../../sql/binder/bind-query.js';
import type { DescribeStatement, Statement } from '../../sql/parser/statement.js';
import { textRows } from '../rows-frame.js';
import type { SessionContext } from '../session-context.js';
import { nameText } from './names.js';

/** DESCRIBE: a row per column of a table, a path or a query. */
export async function describe(
  statement: DescribeStatement & Pick<Statement, 'span'>,
  session: SessionContext,
): Promise<ExecutionPlan> {
  const schema = await schemaOf(statement, session);
  return textRows(
    ['column_name', 'data_type', 'is_nullable'].map((name) => ({ name })),
    schema.fields.map((f) => [f.name, typeName(f.type), f.nullable ? 'YES' : 'NO']),
  );
}

async function schemaOf(
  { target, span }: DescribeStatement & Pick<Statement, 'span'>,
  { catalog, config, registries }: SessionContext,
): Promise<Schema> {
  if ('query' in target) {
    const plan = await bindQuery(target.query, { catalog, functions: registries.functions, config });
    return plan.schema.toSchema();
  }
  const name = nameText(target.table);
  const [only] = target.table;
  const isPath = target.table.length === 1 && only?.quoted === true && /[/\\.*?]/.test(only.value);
  const table = (await catalog.table(name)) ?? (isPath ? await catalog.tableFromPath(name) : undefined);
  if (table !== undefined) return table.schema;
  const hint = didYouMean(name, catalog.tableNames());
  throw new DistqError('plan', `unknown table "${name}"`, { span, ...(hint === undefined ? {} : { hint }) });
}
