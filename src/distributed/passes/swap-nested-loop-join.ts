import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { JoinFilter } from '../../physical/operators/join-filter.js';
import { joinOutputSides, swapJoinType } from '../../physical/operators/join-schema.js';
import { NestedLoopJoinExec } from '../../physical/operators/nested-loop-join-exec.js';
import { ProjectionExec } from '../../physical/operators/projection-exec.js';

/** The same join with its sides exchanged and its columns in the old order. */
export function swapNestedLoopJoin(join: NestedLoopJoinExec): ExecutionPlan {
  const { left, right, filter, projection } = join;
  const joinType = swapJoinType(join.joinType);
  const sides = joinOutputSides(join.joinType);
  const bothSides = sides.left && sides.right;
  // Where a column of the old output is found in the new one: right columns come first now.
  const moved = (index: number): number => {
    if (!bothSides) return index;
    return index < left.schema.length ? index + right.schema.length : index - left.schema.length;
  };
  const swapped = new NestedLoopJoinExec(
    right,
    left,
    joinType,
    filter === null ? null : swapFilter(filter),
    projection === null ? null : projection.map(moved),
  );
  if (!bothSides || projection !== null) return swapped;
  return ProjectionExec.ofColumns(
    swapped,
    join.schema.fields.map((_, index) => moved(index)),
  );
}

function swapFilter(filter: JoinFilter): JoinFilter {
  const columns = filter.columns.map(
    ({ side, index }) => ({ side: side === 'left' ? 'right' : 'left', index }) as const,
  );
  return { ...filter, columns };
}
