import { invariant } from '../base/errors.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { EmptyExec } from '../physical/operators/empty-exec.js';
import type { DistributedTaskContext } from '../physical/task-context.js';
import { NetworkBoundary } from './network-boundary.js';
import { ChildrenIsolatorUnionExec } from './operators/children-isolator-union-exec.js';
import { DistributedLeafExec } from './operators/distributed-leaf-exec.js';

/**
 * The plan of one task: each DistributedLeafExec becomes the task's variant; union children that the task does not run become empty
 * relations of the same schema and partition count, so that positions and the union's map stay valid. Boundaries are left alone: what
 * lies below them belongs to another stage. Inside a union a child's own task index counts, not the stage's.
 *
 * Source: distributed planner reference, 6.2.
 */
export function specialise(plan: ExecutionPlan, task: DistributedTaskContext): ExecutionPlan {
  if (plan instanceof NetworkBoundary) return plan;
  if (plan instanceof DistributedLeafExec) {
    invariant(
      plan.variants.length === task.taskCount,
      `a leaf of ${plan.variants.length} variants in a stage of ${task.taskCount} tasks`,
    );
    return plan.variant(task.taskIndex);
  }
  let children: ExecutionPlan[];
  if (plan instanceof ChildrenIsolatorUnionExec) {
    children = plan.children.map((child) => new EmptyExec(child.schema, child.properties.partitioning.count));
    for (const share of plan.shares(task)) children[share.child] = specialise(plan.child(share.child), share.context);
  } else {
    children = plan.children.map((child) => specialise(child, task));
  }
  return children.every((child, index) => child === plan.children[index]) ? plan : plan.withNewChildren(children);
}
