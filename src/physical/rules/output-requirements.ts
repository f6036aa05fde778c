import { type ExecutionPlan, SINGLE_PARTITION, UNSPECIFIED } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { transformUp } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** Writes down, as a node, the order and distribution the query promised: no rule in between may drop it. */
export const addOutputRequirements: PhysicalRule = {
  name: 'OutputRequirements',
  optimize: (plan) => requireTopOrdering(plan) ?? new OutputRequirementExec(plan, null, UNSPECIFIED),
};

export const removeOutputRequirements: PhysicalRule = {
  name: 'OutputRequirements',
  optimize: (plan) => transformUp(plan, (node) => (node instanceof OutputRequirementExec ? node.input : node)),
};

/** The plan with its topmost sort wrapped, when one is reached through nodes that keep its order; undefined otherwise. */
function requireTopOrdering(plan: ExecutionPlan): ExecutionPlan | undefined {
  const [child] = plan.children;
  if (child === undefined || plan.children.length !== 1) return undefined;
  if (plan instanceof SortExec) {
    return new OutputRequirementExec(plan, plan.exprs, plan.requiredInputDistribution()[0]!, plan.fetch);
  }
  if (plan instanceof SortPreservingMergeExec) {
    return new OutputRequirementExec(plan, plan.exprs, SINGLE_PARTITION, plan.fetch);
  }
  // An operator that needs an order itself has sorts of its own below it; an aggregate merely likes one.
  const needsOrder = plan.requiredInputOrdering()[0] !== null && !(plan instanceof AggregateExec);
  if (plan.maintainsInputOrder()[0] !== true || needsOrder) return undefined;
  const changed = requireTopOrdering(child);
  return changed === undefined ? undefined : plan.withNewChildren([changed]);
}
