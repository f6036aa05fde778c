import { invariant } from '../../base/errors.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { withChildren } from '../../physical/tree.js';
import { NetworkBoundary } from '../network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../operators/children-isolator-union-exec.js';
import { desired } from '../task-count.js';
import { type ScaleOptions, scaleStage } from './scale-stage.js';

/**
 * Fits the leaves of a plan whose boundaries somebody else placed to the task counts those say: one task in the head, `inputStage.tasks`
 * below a boundary, its allotment in a union's child. Nobody is asked how many tasks a node wants.
 *
 * Source: distributed planner reference, 4.12.
 */
export function scaleUserPlacedStages(plan: ExecutionPlan, options: Omit<ScaleOptions, 'wishes'>): ExecutionPlan {
  const below = (node: ExecutionPlan): ExecutionPlan => {
    if (node instanceof NetworkBoundary && node.inputStage.state === 'local') {
      return node.withNewChildren([stage(node.inputStage.plan, node.inputStage.tasks)]);
    }
    return withChildren(node, node.children.map(below));
  };
  const stage = (root: ExecutionPlan, tasks: number): ExecutionPlan => {
    checkUnions(root, tasks);
    return scaleStage(below(root), tasks, { ...options, wishes: () => desired(1) });
  };
  return stage(plan, 1);
}

/** A union that came with the plan must have been dealt over the tasks of its stage. */
function checkUnions(node: ExecutionPlan, tasks: number): void {
  if (node instanceof NetworkBoundary) return;
  if (node instanceof ChildrenIsolatorUnionExec) {
    invariant(node.taskCount === tasks, `a distributed union over ${node.taskCount} tasks in a stage of ${tasks}`);
    return;
  }
  for (const child of node.children) checkUnions(child, tasks);
}
