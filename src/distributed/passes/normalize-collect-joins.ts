import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { distributionSatisfied } from '../../physical/equivalence.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../physical/operators/coalesce-partitions-exec.js';
import { HashJoinExec } from '../../physical/operators/hash-join-exec.js';
import { NestedLoopJoinExec } from '../../physical/operators/nested-loop-join-exec.js';
import { RepartitionExec } from '../../physical/operators/repartition-exec.js';
import { swapNestedLoopJoin } from '../../physical/swap-join.js';
import { withChildren } from '../../physical/tree.js';
import { isSafeToBroadcast } from './collected-joins.js';

export interface NormalizeOptions {
  readonly targetPartitions: number;
  readonly broadcastJoins: boolean;
}

/**
 * Reshapes collected joins that emit build rows on their own, which no task may do with a copy of the build side:
 *
 * - a hash join is partitioned: both sides hash repartitioned by their keys;
 * - a nested loop join (other than Full, and if build sides can be broadcast) exchanges its sides.
 *
 * Left alone, and later pinned to one task: null-aware anti joins, Full nested loops, joins of two single partitions, and hash joins
 * with a probe side of one partition, whose single output partition the nodes above count on.
 *
 * Source: distributed planner reference, 4.3.
 */
export function normalizeCollectJoins(plan: ExecutionPlan, options: NormalizeOptions): ExecutionPlan {
  const node = reshape(plan, options);
  const required = node.requiredInputDistribution();
  const children = node.children.map((child, index) => {
    const normal = normalizeCollectJoins(child, options);
    const distribution = required[index] ?? { kind: 'unspecified' };
    // A reshaped join may have more partitions than it had.
    if (normal === child || distributionSatisfied(distribution, normal.properties, { allowSubset: true }))
      return normal;
    return distribution.kind === 'hash'
      ? hashed(normal, distribution.exprs, options)
      : new CoalescePartitionsExec(normal);
  });
  return withChildren(node, children);
}

function reshape(node: ExecutionPlan, options: NormalizeOptions): ExecutionPlan {
  if (node instanceof HashJoinExec) return partitioned(node, options);
  if (node instanceof NestedLoopJoinExec && options.broadcastJoins) return exchanged(node);
  return node;
}

function partitioned(join: HashJoinExec, options: NormalizeOptions): ExecutionPlan {
  if (join.mode !== 'CollectLeft' || join.nullAware || isSafeToBroadcast(join.joinType)) return join;
  if (partitionCount(join.right) === 1) return join;
  const left = hashed(
    uncollected(join.left),
    join.on.map(([key]) => key),
    options,
  );
  const right = hashed(
    join.right,
    join.on.map(([, key]) => key),
    options,
  );
  return new HashJoinExec(left, right, join.on, join.joinType, 'Partitioned', join.options);
}

function exchanged(join: NestedLoopJoinExec): ExecutionPlan {
  if (join.joinType === 'Full' || isSafeToBroadcast(join.joinType)) return join;
  // A collected side counts as one partition, whatever lies below.
  if (partitionCount(join.left) === 1 && partitionCount(join.right) === 1) return join;
  const probe = uncollected(join.left);
  const build = partitionCount(join.right) === 1 ? join.right : new CoalescePartitionsExec(join.right);
  return swapNestedLoopJoin(new NestedLoopJoinExec(probe, build, join.joinType, join.filter, join.projection));
}

function hashed(input: ExecutionPlan, exprs: readonly PhysicalExpr[], options: NormalizeOptions): RepartitionExec {
  return new RepartitionExec({ kind: 'hash', exprs, count: options.targetPartitions }, input);
}

/** A build side without the CoalescePartitionsExec that collected it; one with a fetch does more than collecting and stays. */
function uncollected(build: ExecutionPlan): ExecutionPlan {
  return build instanceof CoalescePartitionsExec && build.fetch === null ? build.input : build;
}

function partitionCount(plan: ExecutionPlan): number {
  return plan.properties.partitioning.count;
}
