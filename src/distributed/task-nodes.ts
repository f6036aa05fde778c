import { invariant } from '../base/errors.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import type { DistributedTaskContext } from '../physical/task-context.js';
import { NetworkBoundary } from './network-boundary.js';
import { ChildrenIsolatorUnionExec } from './operators/children-isolator-union-exec.js';

/** A node that one task of a stage runs. */
export interface TaskNode {
  readonly node: ExecutionPlan;
  /** Its place in pre-order over the whole stage plan: what the task does not run counts too. */
  readonly position: number;
  /** What the node sees as its task: a union's child its own share. */
  readonly task: DistributedTaskContext;
}

/**
 * The nodes that a task runs, in the one order that worker and coordinator share: pre-order; boundaries count, what lies below them
 * does not; of a union only the task's children, in the order of its map, each with its own context.
 *
 * A worker walks its specialised plan, the coordinator the stage plan with all variants and children: the sequences of nodes agree,
 * since a DistributedLeafExec and the variant that replaced it are one node each. Positions agree only on the coordinator's side.
 */
export function taskNodes(plan: ExecutionPlan, task: DistributedTaskContext): TaskNode[] {
  const nodes: TaskNode[] = [];
  const visit = (node: ExecutionPlan, position: number, context: DistributedTaskContext): void => {
    nodes.push({ node, position, task: context });
    if (node instanceof NetworkBoundary) return;
    const positions = childPositions(node, position);
    const visitChild = (child: number, childContext: DistributedTaskContext): void => {
      const plan = node.children[child];
      const at = positions[child];
      invariant(plan !== undefined && at !== undefined, `${node.name} has no child ${child}`);
      visit(plan, at, childContext);
    };
    if (node instanceof ChildrenIsolatorUnionExec) {
      for (const share of node.shares(context)) visitChild(share.child, share.context);
    } else {
      for (const child of node.children.keys()) visitChild(child, context);
    }
  };
  visit(plan, 0, task);
  return nodes;
}

/** Every node of a stage plan in pre-order, boundaries as leaves: the index is the node's position. */
export function stageNodes(plan: ExecutionPlan): ExecutionPlan[] {
  if (plan instanceof NetworkBoundary) return [plan];
  return [plan, ...plan.children.flatMap(stageNodes)];
}

function childPositions(node: ExecutionPlan, position: number): number[] {
  const positions: number[] = [];
  let next = position + 1;
  for (const child of node.children) {
    positions.push(next);
    next += nodeCount(child);
  }
  return positions;
}

function nodeCount(plan: ExecutionPlan): number {
  if (plan instanceof NetworkBoundary) return 1;
  return plan.children.reduce((sum, child) => sum + nodeCount(child), 1);
}
