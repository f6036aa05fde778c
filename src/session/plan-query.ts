import { workerCount } from '../cluster/coordinator/hosting.js';
import type { DistqError } from '../base/errors.js';
import { evaluateConstant } from '../expr/constant-evaluator.js';
import { distribute } from '../distributed/planner.js';
import { analyze } from '../logical/analyzer.js';
import { optimize } from '../logical/optimizer.js';
import type { LogicalPlan } from '../logical/plan.js';
import { visitPlan } from '../logical/traverse.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { createPhysicalPlan } from '../physical/create-physical-plan.js';
import { StatisticsTable } from '../sources/statistics/statistics-table.js';
import { bindQuery } from '../sql/binder/bind-query.js';
import type { Query } from '../sql/parser/ast.js';
import type { SessionContext } from './session-context.js';

/** A query through all planning: what `explain` shows and `exec` runs is this very object. */
export interface PlannedQuery {
  /** The optimised logical plan; null for statements that answer fixed rows. */
  readonly logical: LogicalPlan | null;
  /** The single-node plan. */
  readonly physical: ExecutionPlan;
  /** What runs: rooted in a DistributedExec, or `physical` itself when nothing is distributed. */
  readonly plan: ExecutionPlan;
  readonly notDistributedReason: string | null;
  /** The statement, where one was planned. */
  readonly sql: string | null;
  /** The tables it reads that have statistics only: it can be explained and not run. */
  readonly statisticsOnly: readonly string[];
  /** Why it can be explained and not run, where there is another reason. */
  readonly notRunnable?: DistqError;
}

/** Called with the plan after each step (`initial_logical_plan`, each rule's name), for EXPLAIN VERBOSE. */
export interface PlanObserver {
  readonly onLogical?: (step: string, plan: LogicalPlan) => void;
  readonly onPhysical?: (step: string, plan: ExecutionPlan) => void;
}

/** Binds, analyses, optimises, plans and distributes a query with the session's tables and settings. */
export async function planQuery(
  query: Query,
  session: SessionContext,
  observer: PlanObserver = {},
): Promise<PlannedQuery> {
  const { config, catalog, registries } = session;
  const bound = await bindQuery(query, { catalog, functions: registries.functions, config });
  return planBound(bound, session, observer);
}

/** Analyses, optimises, plans and distributes a bound query. */
export function planBound(bound: LogicalPlan, session: SessionContext, observer: PlanObserver = {}): PlannedQuery {
  const { config, registries } = session;
  const { onLogical = ignore, onPhysical = ignore } = observer;
  onLogical('initial_logical_plan', bound);
  const analyzed = analyze(bound, onLogical);
  onLogical('analyzed_logical_plan', analyzed);
  const logical = optimize(analyzed, {
    config,
    functions: registries.functions,
    constants: { evaluate: evaluateConstant },
    onRule: onLogical,
  });
  const physical = createPhysicalPlan(logical, {
    config,
    onPlan: onPhysical,
  });
  const { plan, notDistributed } = distribute(physical, {
    config,
    workerCount: workerCount(config),
    handlers: registries.plugins.handlers,
  });
  return {
    logical,
    physical,
    plan,
    notDistributedReason: notDistributed,
    sql: null,
    statisticsOnly: statisticsOnlyTables(bound),
  };
}

function statisticsOnlyTables(plan: LogicalPlan): string[] {
  const names = new Set<string>();
  visitPlan(plan, (node) => {
    if (node.kind === 'table_scan' && node.source instanceof StatisticsTable) names.add(node.source.name);
  });
  return [...names];
}

function ignore(): void {
  // Nobody looks.
}

/** A fixed answer as a query. */
export function rowsQuery(plan: ExecutionPlan): PlannedQuery {
  return { logical: null, physical: plan, plan, notDistributedReason: null, sql: null, statisticsOnly: [] };
}
