import { DistqError, notImplemented } from '../../base/errors.js';
import { isStatementFormat, STATEMENT_FORMATS, type StatementFormatName } from '../../explain/statement/formats.js';
import { displayPlan } from '../../logical/display.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { displayIndent } from '../../physical/display.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { ExplainStatement, Statement } from '../../sql/parser/statement.js';
import { DataFrame } from '../data-frame.js';
import { planText, shownFacts } from '../explain-text.js';
import { planQuery } from '../plan-query.js';
import { textRows } from '../rows-frame.js';
import type { SessionContext } from '../session-context.js';

type Query = ExplainStatement['query'];
/** Steps that are no rule's. */
const STAGES: ReadonlySet<string> = new Set(['initial_logical_plan', 'analyzed_logical_plan', 'initial_physical_plan']);

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
  const { config } = session;
  const logicalOnly = config.get('explain.logical_plan_only');
  const physicalOnly = config.get('explain.physical_plan_only') && !logicalOnly;
  const shown = shownFacts(config);
  const logicalSteps = new Steps();
  const physicalSteps = new Steps();
  /** The plan, and beside it what the lines do not show as it is. */
  const facts = (name: string, plan: ExecutionPlan): Row[] => {
    const rows: Row[] = [[name, displayIndent(plan, { ...shown, full: verbose })]];
    if (!verbose) return rows;
    if (!shown.statistics) rows.push([`${name}_with_stats`, displayIndent(plan, { full: true, statistics: true })]);
    if (!shown.schema) rows.push([`${name}_with_schema`, displayIndent(plan, { full: true, schema: true })]);
    return rows;
  };
  const onLogical = (name: string, plan: LogicalPlan): void => {
    logicalSteps.add(STAGES.has(name) ? name : `logical_plan after ${name}`, displayPlan(plan));
  };
  const onPhysical = (name: string, plan: ExecutionPlan): void => {
    if (STAGES.has(name)) physicalSteps.rows.push(...facts(name, plan));
    else physicalSteps.add(`physical_plan after ${name}`, displayIndent(plan, { ...shown, full: true }));
  };
  const plan = await planQuery(query, session, {
    ...(verbose && !physicalOnly ? { onLogical } : {}),
    ...(verbose && !logicalOnly ? { onPhysical } : {}),
  });
  const { logical, physical, notDistributedReason } = plan;
  const rows = logicalSteps.rows;
  if (logical !== null && !physicalOnly) rows.push(['logical_plan', displayPlan(logical)]);
  if (logicalOnly) return rows;
  rows.push(...physicalSteps.rows, ...facts('physical_plan', physical));
  if (notDistributedReason === null && !physicalOnly) rows.push(['distributed_plan', planText(plan.plan, 'tree')]);
  return rows;
}

/** Rows of which one that changes nothing says so. */
class Steps {
  readonly rows: Row[] = [];
  #last: string | undefined;

  add(name: string, text: string): void {
    this.rows.push([name, text === this.#last ? 'SAME TEXT AS ABOVE' : text]);
    this.#last = text;
  }
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
