import { known, type Statistics } from '../../catalog/statistics.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CrossJoinExec } from '../operators/cross-join-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { NestedLoopJoinExec } from '../operators/nested-loop-join-exec.js';
import { restoreColumns, swapHashJoin, swapNestedLoopJoin } from '../swap-join.js';
import { transformUp } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/**
 * Decides, from statistics, which side of a join is built and whether it is collected into one table. Runs before predicates reach the
 * scans: their statistics are still exact.
 */
export const joinSelection: PhysicalRule = {
  name: 'join_selection',
  optimize: (plan, config) => transformUp(plan, (node) => select(node, config)),
};

function select(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  if (plan instanceof HashJoinExec) {
    switch (plan.mode) {
      case 'Auto':
        return collectLeft(plan, config, false) ?? partitioned(plan, config);
      case 'CollectLeft':
        return collectLeft(plan, config, true) ?? partitioned(plan, config);
      case 'Partitioned':
        return shouldSwap(plan.left, plan.right, config) ? swapHashJoin(plan, 'Partitioned') : plan;
    }
  }
  if (plan instanceof CrossJoinExec && shouldSwap(plan.left, plan.right, config)) {
    const swapped = new CrossJoinExec(plan.right, plan.left);
    return restoreColumns(swapped, plan.left.schema.length, plan.right.schema.length);
  }
  if (plan instanceof NestedLoopJoinExec && shouldSwap(plan.left, plan.right, config)) return swapNestedLoopJoin(plan);
  return plan;
}

function collectLeft(join: HashJoinExec, config: SessionConfig, ignoreThreshold: boolean): ExecutionPlan | undefined {
  const left = ignoreThreshold || canCollect(join.left.statistics(), config);
  const right = ignoreThreshold || canCollect(join.right.statistics(), config);
  if (left && right) {
    // NOT IN needs its sides as they are.
    return !join.nullAware && shouldSwap(join.left, join.right, config)
      ? swapHashJoin(join, 'CollectLeft')
      : join.withMode('CollectLeft');
  }
  if (left) return join.withMode('CollectLeft');
  if (right && !join.nullAware && config.get('optimizer.join_reordering')) return swapHashJoin(join, 'CollectLeft');
  return undefined;
}

function partitioned(join: HashJoinExec, config: SessionConfig): ExecutionPlan {
  if (join.nullAware) return join.withMode('CollectLeft');
  return shouldSwap(join.left, join.right, config) ? swapHashJoin(join, 'Partitioned') : join.withMode('Partitioned');
}

/** Bytes decide where they are known, rows otherwise. */
function canCollect({ totalByteSize, numRows }: Statistics, config: SessionConfig): boolean {
  const bytes = known(totalByteSize);
  if (bytes !== undefined) return bytes < config.get('optimizer.hash_join_single_partition_threshold');
  const rows = known(numRows);
  return rows !== undefined && rows < config.get('optimizer.hash_join_single_partition_threshold_rows');
}

/** Whether the left side, which is built, is known to be the larger one. */
function shouldSwap(left: ExecutionPlan, right: ExecutionPlan, config: SessionConfig): boolean {
  if (!config.get('optimizer.join_reordering')) return false;
  const l = left.statistics();
  const r = right.statistics();
  const leftBytes = known(l.totalByteSize);
  const rightBytes = known(r.totalByteSize);
  if (leftBytes !== undefined && rightBytes !== undefined) return leftBytes > rightBytes;
  const leftRows = known(l.numRows);
  const rightRows = known(r.numRows);
  return leftRows !== undefined && rightRows !== undefined && leftRows > rightRows;
}
