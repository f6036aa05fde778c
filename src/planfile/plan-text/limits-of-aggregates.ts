import type { SessionConfig } from '../../config/session-config.js';
import { AggregateExec } from '../../physical/operators/aggregate-exec.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { topKAggregation } from '../../physical/rules/topk-aggregation.js';
import { transformUp, withChildren } from '../../physical/tree.js';

/**
 * `lim=[N]` is printed alike for any N groups and for the first N by a sort above: the rule that sets the latter tells which it is.
 */
export function tellLimits(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  const isLimited = (node: ExecutionPlan): node is AggregateExec =>
    node instanceof AggregateExec && node.limit !== null;
  const bare = transformUp(plan, (node) => (isLimited(node) ? node.with({ limit: null }) : node));
  if (bare === plan) return plan;
  const ordered = topKAggregation.optimize(bare, config.with('optimizer.enable_topk_aggregation', 'true'));
  const merge = (given: ExecutionPlan, told: ExecutionPlan): ExecutionPlan => {
    const children = given.children.map((child, i) => merge(child, told.children[i] ?? child));
    const next = withChildren(given, children);
    if (!isLimited(given) || !(next instanceof AggregateExec) || !(told instanceof AggregateExec)) return next;
    return told.limit?.count === given.limit?.count ? next.with({ limit: told.limit }) : next;
  };
  return merge(plan, ordered);
}
