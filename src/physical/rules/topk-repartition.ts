import { physicalExprsEqual } from '../../expr/physical-expr-transform.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { transformUp } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** A TopK over a hash repartition by leading sort keys first runs below it as well: fewer rows cross. */
export const topKRepartition: PhysicalRule = {
  name: 'TopKRepartition',
  optimize: (plan, config) => (config.get('optimizer.enable_topk_repartition') ? transformUp(plan, copyBelow) : plan),
};

function copyBelow(plan: ExecutionPlan): ExecutionPlan {
  if (!(plan instanceof SortExec) || plan.fetch === null) return plan;
  const repartition = plan.input;
  if (!(repartition instanceof RepartitionExec) || repartition.partitioning.kind !== 'hash') return plan;
  const { exprs } = repartition.partitioning;
  const isPrefix =
    exprs.length <= plan.exprs.length && exprs.every((expr, i) => physicalExprsEqual(expr, plan.exprs[i]!.expr));
  if (!isPrefix) return plan;
  const below = new SortExec(plan.exprs, repartition.input, { fetch: plan.fetch, preservePartitioning: true });
  return plan.withNewChildren([repartition.withNewChildren([below])]);
}
