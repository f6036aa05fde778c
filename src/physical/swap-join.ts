import type { ExecutionPlan } from './execution-plan.js';
import { HashJoinExec, type PartitionMode } from './operators/hash-join-exec.js';
import type { JoinColumn, JoinFilter } from './operators/join-filter.js';
import { joinOutputSides, swapJoinType } from './operators/join-schema.js';
import { NestedLoopJoinExec } from './operators/nested-loop-join-exec.js';
import { ProjectionExec } from './operators/projection-exec.js';

/** The same join with its sides exchanged and its columns in the old order. */
export function swapHashJoin(join: HashJoinExec, mode: PartitionMode): ExecutionPlan {
  const swapped = new HashJoinExec(
    join.right,
    join.left,
    join.on.map(([l, r]) => [r, l] as const),
    swapJoinType(join.joinType),
    mode,
    {
      ...join.options,
      filter: swapFilter(join.filter),
      projection: swapProjection(join, join.projection),
    },
  );
  if (join.projection !== null || !joinsBothSides(join)) return swapped;
  return restoreColumns(swapped, join.left.schema.length, join.right.schema.length);
}

/** The same join with its sides exchanged and its columns in the old order. */
export function swapNestedLoopJoin(join: NestedLoopJoinExec): ExecutionPlan {
  const swapped = new NestedLoopJoinExec(
    join.right,
    join.left,
    swapJoinType(join.joinType),
    swapFilter(join.filter),
    swapProjection(join, join.projection),
  );
  if (join.projection !== null || !joinsBothSides(join)) return swapped;
  return restoreColumns(swapped, join.left.schema.length, join.right.schema.length);
}

type AnyJoin = HashJoinExec | NestedLoopJoinExec;

function joinsBothSides({ joinType }: AnyJoin): boolean {
  const sides = joinOutputSides(joinType);
  return sides.left && sides.right;
}

/** The columns of a join whose sides were exchanged, back in the order they had. */
export function restoreColumns(swapped: ExecutionPlan, left: number, right: number): ExecutionPlan {
  return ProjectionExec.ofColumns(swapped, [
    ...Array.from({ length: left }, (_, i) => right + i),
    ...Array.from({ length: right }, (_, i) => i),
  ]);
}

function swapProjection(join: AnyJoin, projection: readonly number[] | null): readonly number[] | null {
  if (projection === null || !joinsBothSides(join)) return projection;
  const left = join.left.schema.length;
  const right = join.right.schema.length;
  return projection.map((index) => (index < left ? index + right : index - left));
}

/** The same condition over the same intermediate schema: only which side each column comes from changes. */
function swapFilter(filter: JoinFilter | null): JoinFilter | null {
  if (filter === null) return null;
  const columns = filter.columns.map(
    ({ side, index }): JoinColumn => ({ side: side === 'left' ? 'right' : 'left', index }),
  );
  return { ...filter, columns };
}
