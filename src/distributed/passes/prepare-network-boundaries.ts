import { stageId } from '../../base/ids.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { NetworkBoundary } from '../network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../operators/children-isolator-union-exec.js';
import { unionChildTaskCounts } from '../union-allocation.js';
import { withChildren } from '../../physical/tree.js';

/**
 * Finishes the boundaries of a plan, producers first, left before right: one between single tasks is replaced by its producer's plan;
 * every other gets a producer head wide enough for its consumers, and the next stage number, from 1.
 *
 * Source: distributed planner reference, 4.9. The head is part of the planned stage, so consumers need not
 * agree on one at run time (T36), and only the node that the boundary itself stands on is widened: a round-robin repartition on top of a
 * coalesced producer stays (L6; upstream drops it).
 */
export function prepareNetworkBoundaries(plan: ExecutionPlan): ExecutionPlan {
  let lastStage = 0;
  /** `consumers` is the task count of the stage, or of the union's child, that the node is in. */
  const visit = (node: ExecutionPlan, consumers: number): ExecutionPlan => {
    if (node instanceof NetworkBoundary) {
      const { inputStage } = node;
      if (inputStage.state === 'remote') return node;
      const producer = visit(inputStage.plan, inputStage.tasks);
      if (consumers === 1 && inputStage.tasks === 1) return producer;
      lastStage++;
      const stage = { ...inputStage, plan: producer, id: stageId(lastStage) };
      return node.withInputStage(node.withProducerHead(stage, consumers));
    }
    if (node instanceof ChildrenIsolatorUnionExec) {
      const counts = unionChildTaskCounts(node.taskMap, node.children.length);
      return withChildren(
        node,
        node.children.map((child, index) => visit(child, counts[index] ?? 1)),
      );
    }
    return withChildren(
      node,
      node.children.map((child) => visit(child, consumers)),
    );
  };
  return visit(plan, 1);
}
