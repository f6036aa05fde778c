import type { JoinType } from '../../expr/join-type.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CrossJoinExec } from '../../physical/operators/cross-join-exec.js';
import { HashJoinExec } from '../../physical/operators/hash-join-exec.js';
import { NestedLoopJoinExec } from '../../physical/operators/nested-loop-join-exec.js';

/**
 * Whether a join of this type may run in many tasks that each hold the whole build (left) side: it never emits a build row on its own.
 * The other types would emit such rows once per task.
 */
export function isSafeToBroadcast(joinType: JoinType): boolean {
  switch (joinType) {
    case 'Inner':
    case 'Right':
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return true;
    case 'Left':
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
    case 'Full':
      return false;
  }
}

export type CollectedJoin = HashJoinExec | NestedLoopJoinExec | CrossJoinExec;

/** Joins whose left side is collected into one partition. */
export function isCollectedJoin(node: ExecutionPlan): node is CollectedJoin {
  if (node instanceof HashJoinExec) return node.mode === 'CollectLeft';
  return node instanceof NestedLoopJoinExec || node instanceof CrossJoinExec;
}

/** Whether every task may hold a copy of the join's build side. */
export function mayBroadcast(join: CollectedJoin): boolean {
  if (join instanceof CrossJoinExec) return true;
  if (join instanceof HashJoinExec && join.nullAware) return false;
  return isSafeToBroadcast(join.joinType);
}
