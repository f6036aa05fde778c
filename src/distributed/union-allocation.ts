import { DistqError } from '../base/errors.js';
import type { DistributedTaskContext } from '../physical/task-context.js';

/** How much of a union's tasks a child should get, and the most it may get (null: no limit). */
export interface UnionChildWeight {
  readonly weight: number;
  readonly maxTasks: number | null;
}

/** One child run by one task of the union's stage; the child sees `context` as its own task index and count. */
export interface UnionShare {
  readonly child: number;
  readonly context: DistributedTaskContext;
}

/** Per task of the stage, the children it runs, in the order of their partitions. */
export type UnionTaskMap = readonly (readonly UnionShare[])[];

/**
 * Deals the tasks of a stage over a union's children by weight: largest remainders first, caps respected, leftover tasks stay empty.
 * Children that get no task of their own are appended to tasks that run something, round robin.
 *
 * Errors: `plan` for zero tasks, no children, a cap of zero, a negative or infinite weight.
 * Source: distributed planner reference, 6.3.
 */
export function allocateUnionChildren(weights: readonly UnionChildWeight[], taskCount: number): UnionTaskMap {
  if (taskCount < 1) throw new DistqError('plan', 'a distributed union needs at least one task');
  if (weights.length === 0) throw new DistqError('plan', 'a distributed union needs at least one child');
  for (const [child, { weight, maxTasks }] of weights.entries()) {
    if (!Number.isFinite(weight) || weight < 0) {
      throw new DistqError('plan', `child ${child} of a distributed union has the weight ${weight}`);
    }
    if (maxTasks !== null && maxTasks < 1) {
      throw new DistqError('plan', `child ${child} of a distributed union may run in ${maxTasks} tasks`);
    }
  }
  const counts = taskCounts(weights, taskCount);
  const slots: UnionShare[][] = Array.from({ length: taskCount }, () => []);
  let used = 0;
  for (const [child, count] of counts.entries()) {
    for (let index = 0; index < count; index++) {
      slots[used]?.push({ child, context: { taskIndex: index, taskCount: count } });
      used++;
    }
  }
  let next = 0;
  for (const [child, count] of counts.entries()) {
    if (count > 0) continue;
    slots[next % used]?.push({ child, context: { taskIndex: 0, taskCount: 1 } });
    next++;
  }
  return slots;
}

/** How many tasks each child gets; at least one of them gets one. */
function taskCounts(weights: readonly UnionChildWeight[], taskCount: number): number[] {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const children = weights.map(({ weight, maxTasks }, child) => {
    const share = total > 0 ? (taskCount * weight) / total : taskCount / weights.length;
    const cap = maxTasks ?? Number.POSITIVE_INFINITY;
    return { child, cap, fraction: share - Math.floor(share), count: Math.min(Math.floor(share), cap) };
  });
  let rest = taskCount - children.reduce((sum, { count }) => sum + count, 0);
  const order = children.toSorted((a, b) => b.fraction - a.fraction || a.child - b.child);
  for (let changed = true; rest > 0 && changed; ) {
    changed = false;
    for (const entry of order) {
      if (rest === 0) break;
      if (entry.count >= entry.cap) continue;
      entry.count++;
      rest--;
      changed = true;
    }
  }
  return children.map(({ count }) => count);
}

/** How many tasks run each child: what its leaves and boundaries are scaled to. */
export function unionChildTaskCounts(map: UnionTaskMap, childCount: number): number[] {
  const counts = Array.from({ length: childCount }, () => 0);
  for (const { child, context } of map.flat()) counts[child] = context.taskCount;
  return counts;
}

/** `t0:[c0(0/2)] t1:[c0(1/2)] t2:[c1, c2]` (planner reference, 6.4). */
export function formatUnionTaskMap(map: UnionTaskMap): string {
  return map
    .map((shares, task) => {
      const entries = shares.map(({ child, context: { taskIndex, taskCount } }) =>
        taskCount > 1 ? `c${child}(${taskIndex}/${taskCount})` : `c${child}`,
      );
      return `t${task}:[${entries.join(', ')}]`;
    })
    .join(' ');
}
