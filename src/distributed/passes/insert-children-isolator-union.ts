import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { UnionExec } from '../../physical/operators/union-exec.js';
import { ChildrenIsolatorUnionExec } from '../operators/children-isolator-union-exec.js';
import { withChildren } from '../../physical/tree.js';

/**
 * Makes every UnionExec one whose children can be spread over tasks. Until its stage is closed it runs all of them in one task, as
 * the plain union does. InterleaveExec stays: its children are partitioned alike and belong together.
 *
 * Source: distributed planner reference, 4.6.
 */
export function insertChildrenIsolatorUnion(plan: ExecutionPlan): ExecutionPlan {
  const node = withChildren(plan, plan.children.map(insertChildrenIsolatorUnion));
  return node instanceof UnionExec ? ChildrenIsolatorUnionExec.inOneTask(node) : node;
}
