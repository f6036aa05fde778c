import { DistqError, notImplemented } from '../../base/errors.js';
import { isStatementFormat, STATEMENT_FORMATS, type StatementFormatName } from '../../explain/statement/formats.js';
import { displayPlan } from '../../logical/display.js';
import { displayIndent } from '../../physical/display.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { ExplainStatement, Statement } from '../../sql/parser/statement.js';
import { DataFrame } from '../data-frame.js';
import { planText } from '../explain-text.js';
import { planQuery } from '../plan-query.js';
import { textRows } from '../rows-frame.js';
import type { SessionContext } from '../session-context.js';

type Query = ExplainStatement['query'];
type Row = readonly [type: string, plan: string];

/**
 * EXPLAIN as rows of (plan_type, plan): the logical, the single-node physical and the distributed plan; VERBOSE the plan after each
 * rule too; FORMAT gives one plan in another form. ANALYZE runs the query and gives the distributed plan with metrics; VERBOSE per task, with the row count and the time.
 */
export async function explainStatement(
  statement: ExplainStatement & Pick<Statement, 'span'>,
  session: SessionContext,
): Promise<ExecutionPlan> {
  const { format, analyze, verbose, span } = statement;
  if (format !== null && format !== 'indent') {
    if (!isStatementFormat(format)) {
      throw new DistqError('plan', `EXPLAIN has no format ${format}`, {
        span,
        hint: 'use indent, tree, pgjson or graphviz',
      });
    }
    if (analyze || verbose) {
      const word = analyze ? 'ANALYZE' : 'VERBOSE';
      throw notImplemented(`EXPLAIN ${word} with FORMAT ${format}`, { span, hint: `leave ${word} or FORMAT out` });
    }
    return textRows([{ name: 'plan_type' }, { name: 'plan' }], [await rendered(statement.query, format, session)]);
  }
  const rows = analyze ? await analyzed(statement, session) : await planned(statement, session);
  return textRows([{ name: 'plan_type' }, { name: 'plan' }], rows);
}

/** One of DataFusion's formats of one plan, before it is distributed. */
async function rendered(query: Query, name: StatementFormatName, session: SessionContext): Promise<Row> {
  const { logical, physical } = await planQuery(query, session, {});
  const format = STATEMENT_FORMATS[name];
  if (format.shows === 'physical_plan') return [format.shows, format.render(physical)];
  return [format.shows, logical === null ? '' : format.render(logical)];
}

async function planned({ query, verbose }: ExplainStatement, session: SessionContext): Promise<Row[]> {
  const rows: Row[] = [];
  const step = (name: string, text: string): void => {
    const last = rows.at(-1)?.[1];
    rows.push([name, text === last ? 'SAME TEXT AS ABOVE' : text]);
  };
  const plan = await planQuery(
    query,
    session,
    verbose
      ? {
          onLogical: (name, logical) => {
            step(name === 'initial_logical_plan' ? name : `logical_plan after ${name}`, displayPlan(logical));
          },
          onPhysical: (name, physical) => {
            const text = displayIndent(physical, { full: true });
            step(name === 'initial_physical_plan' ? name : `physical_plan after ${name}`, text);
          },
        }
      : {},
  );
  if (plan.logical !== null) rows.push(['logical_plan', displayPlan(plan.logical)]);
  rows.push(['physical_plan', displayIndent(plan.physical, { full: verbose })]);
  if (plan.notDistributedReason === null) rows.push(['distributed_plan', planText(plan.plan, 'tree')]);
  return rows;
}

async function analyzed({ query, verbose }: ExplainStatement, session: SessionContext): Promise<Row[]> {
  const frame = new DataFrame(await planQuery(query, session), session);
  const start = performance.now();
  let count = 0;
  for await (const batch of frame.batches()) count += batch.numRows;
  const ms = performance.now() - start;
  const rows: Row[] = [['Plan with Metrics', frame.textWithMetrics('tree', 'aggregated')]];
  if (verbose) {
    rows.push(
      ['Plan with Full Metrics', frame.textWithMetrics('tree', 'per_task')],
      ['Output Rows', String(count)],
      ['Duration', `${ms.toFixed(3)}ms`],
    );
  }
  return rows;
}
