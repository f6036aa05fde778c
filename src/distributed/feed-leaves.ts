import type { ExecutionPlan } from '../physical/execution-plan.js';
import { LeafExec } from '../physical/leaf/leaf-exec.js';
import type { WorkUnitFeed } from '../physical/leaf/work-unit-feed.js';
import type { DistributedTaskContext } from '../physical/task-context.js';
import { DistributedLeafExec } from './operators/distributed-leaf-exec.js';
import { stageNodes, taskNodes } from './task-nodes.js';

/** A feed of a stage: one per leaf that has one, shared by all tasks that run the leaf. */
export interface StageFeed {
  /** The leaf's position in the stage's plan. */
  readonly id: number;
  readonly leaf: LeafExec;
  readonly feed: WorkUnitFeed;
}

/** A feed as a task knows it. */
export interface TaskFeed {
  readonly id: number;
  /** Index of its leaf among the nodes that the task runs (`taskNodes`): the same in the stage's plan and in the task's own. */
  readonly node: number;
}

export function stageFeeds(plan: ExecutionPlan): StageFeed[] {
  return stageNodes(plan).flatMap((node, id) => {
    const leaf = fedLeaf(node);
    return leaf === null || leaf.feed === null ? [] : [{ id, leaf, feed: leaf.feed }];
  });
}

/** The feeds of the leaves that one task of a stage runs. */
export function taskFeeds(plan: ExecutionPlan, task: DistributedTaskContext): TaskFeed[] {
  return taskNodes(plan, task).flatMap(({ node, position }, index) =>
    fedLeaf(node) === null ? [] : [{ id: position, node: index }],
  );
}

/** Variants share the feed of the leaf that they stand for. */
function fedLeaf(node: ExecutionPlan): LeafExec | null {
  const leaf = node instanceof DistributedLeafExec ? node.original : node;
  return leaf instanceof LeafExec && leaf.feed !== null ? leaf : null;
}
