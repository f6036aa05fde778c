import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import { constantOf, orderingSatisfied } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { WindowAggExec } from '../operators/window-agg-exec.js';
import { PlanContext } from './plan-context.js';

/** Whether a node gives rows before it has read all of its input. */
export function isStreaming(plan: ExecutionPlan): boolean {
  if (plan instanceof SortExec || plan instanceof WindowAggExec) return false;
  if (plan instanceof AggregateExec) return plan.orderingMode.kind !== 'Linear' && isStreaming(plan.input);
  const [child] = plan.children;
  return plan.children.length !== 1 || child === undefined || isStreaming(child);
}

/**
 * A sort on top, per partition where there are several. Keys that are constant below are left out; when none remains, nothing is added.
 */
export function addSortAbove<T>(
  node: PlanContext<T>,
  keys: readonly PhysicalSortExpr[],
  fetch: number | null,
  data: T,
): PlanContext<T> {
  const { properties } = node.plan;
  const varying = keys.filter(({ expr }) => constantOf(expr, properties) === null);
  if (varying.length === 0) return node;
  const sort = new SortExec(varying, node.plan, { fetch, preservePartitioning: properties.partitioning.count > 1 });
  return new PlanContext<T>(sort, data, [node]);
}

/** The same, unless the rows have that order already. */
export function addSortAboveWithCheck<T>(
  node: PlanContext<T>,
  keys: readonly PhysicalSortExpr[],
  fetch: number | null,
  data: T,
): PlanContext<T> {
  return orderingSatisfied(keys, node.plan.properties) ? node : addSortAbove(node, keys, fetch, data);
}
