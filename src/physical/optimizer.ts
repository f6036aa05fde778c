import type { SessionConfig } from '../config/session-config.js';
import type { ExecutionPlan } from './execution-plan.js';
import { aggregateStatisticsRule } from './rules/aggregate-statistics.js';
import { combinePartialFinalAggregate } from './rules/combine-partial-final-aggregate.js';
import { ensureRequirements } from './rules/ensure-requirements.js';
import { dynamicFilterPushdown, filterPushdown } from './rules/filter-pushdown.js';
import { joinSelection } from './rules/join-selection.js';
import { limitPushPastWindows } from './rules/limit-push-past-windows.js';
import { limitPushdown } from './rules/limit-pushdown.js';
import { limitedDistinctAggregation } from './rules/limited-distinct-aggregation.js';
import { optimizeAggregateOrder } from './rules/optimize-aggregate-order.js';
import { addOutputRequirements, removeOutputRequirements } from './rules/output-requirements.js';
import type { PhysicalRule } from './rules/physical-rule.js';
import { projectionPushdown } from './rules/projection-pushdown.js';
import { pushdownSort } from './rules/pushdown-sort.js';
import { sanityCheckPlan } from './rules/sanity-check-plan.js';
import { topKAggregation } from './rules/topk-aggregation.js';
import { topKRepartition } from './rules/topk-repartition.js';

/** DataFusion 55's rules in its order; each runs once where it stands. Names are those of EXPLAIN VERBOSE. */
const PHYSICAL_RULES: readonly PhysicalRule[] = [
  // The user's ORDER BY becomes a node, so that no rule below takes its sort for superfluous.
  addOutputRequirements,
  // Before anything is spread: an answer from statistics removes the whole subtree.
  aggregateStatisticsRule,
  // Needs exact statistics, hence before predicates reach the scans, and decides the modes that distribution needs to know.
  joinSelection,
  // Looks for limits directly over aggregates, before repartitions come between them.
  limitedDistinctAggregation,
  // Scans must know their predicates before distribution: a filtered scan counts as large, however few rows the table has.
  filterPushdown,
  // The plan becomes valid here: every requirement is met from now on, and every later rule keeps it so.
  ensureRequirements,
  // Two aggregate stages that distribution left next to each other are one.
  combinePartialFinalAggregate,
  // Looks at the orders that are now there.
  optimizeAggregateOrder,
  // Sorts and repartitions are in place: columns nobody needs are dropped as far down as possible.
  projectionPushdown,
  removeOutputRequirements,
  // Sorts are in their final place: their limits may reach aggregates.
  topKAggregation,
  // Before limits are pushed down: windows would stop them.
  limitPushPastWindows,
  // Limits go into whatever can stop by itself, through the nodes that stand between them now.
  limitPushdown,
  // After limits have made TopK sorts of plain ones.
  topKRepartition,
  // Limits that went away have let projections meet.
  projectionPushdown,
  // Scans are final but for their filters: they can be told an order.
  pushdownSort,
  // Last change of all: no rule may move nodes between the maker of a dynamic filter and its place.
  dynamicFilterPushdown,
  // Changes nothing, rejects what cannot run.
  sanityCheckPlan,
];

/** Applies all rules. `onPlan` is called with the plan after each one. */
export function optimizePhysicalPlan(
  plan: ExecutionPlan,
  config: SessionConfig,
  onPlan?: (rule: string, plan: ExecutionPlan) => void,
): ExecutionPlan {
  let optimized = plan;
  for (const rule of PHYSICAL_RULES) {
    optimized = rule.optimize(optimized, config);
    onPlan?.(rule.name, optimized);
  }
  return optimized;
}
