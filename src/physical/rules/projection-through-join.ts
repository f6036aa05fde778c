import { mapPhysicalColumns, remapColumns } from '../../expr/physical-expr-transform.js';
import type { PhysicalColumn, PhysicalExpr } from '../../expr/physical-expr.js';
import type { ProjectedExpr } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CrossJoinExec } from '../operators/cross-join-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { type JoinColumn, type JoinFilter, joinFilterSchema } from '../operators/join-filter.js';
import { joinOutputSides } from '../operators/join-schema.js';
import { NestedLoopJoinExec } from '../operators/nested-loop-join-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';

interface PickedColumn extends ProjectedExpr {
  readonly expr: PhysicalColumn;
}

/**
 * A projection over a join as two projections below it: when it picks columns only, narrows, lists left columns before right ones (both
 * there), and leaves keys and filter what they need. Undefined otherwise.
 */
export function pushThroughJoin(
  projection: ProjectionExec,
  join: HashJoinExec | NestedLoopJoinExec | CrossJoinExec,
): ExecutionPlan | undefined {
  if (!(join instanceof CrossJoinExec)) {
    const sides = joinOutputSides(join.joinType);
    if (!sides.left || !sides.right) return undefined;
  }
  const picked = projection.exprs.flatMap(({ expr, name }) => (expr.kind === 'column' ? [{ expr, name }] : []));
  if (picked.length !== projection.exprs.length || picked.length >= join.schema.length) return undefined;
  const offset = join.left.schema.length;
  const firstRight = picked.findIndex(({ expr }) => expr.index >= offset);
  if (firstRight <= 0 || picked.slice(firstRight).some(({ expr }) => expr.index < offset)) return undefined;
  const left = picked.slice(0, firstRight);
  const right = picked
    .slice(firstRight)
    .map(({ expr, name }) => ({ expr: { ...expr, index: expr.index - offset }, name }));
  const newLeft = new ProjectionExec(left, join.left);
  const newRight = new ProjectionExec(right, join.right);
  if (join instanceof CrossJoinExec) return new CrossJoinExec(newLeft, newRight);
  const filter = join.filter === null ? null : restateFilter(join.filter, left, right, newLeft, newRight);
  if (filter === undefined) return undefined;
  if (join instanceof NestedLoopJoinExec) return new NestedLoopJoinExec(newLeft, newRight, join.joinType, filter);
  const on: [PhysicalExpr, PhysicalExpr][] = [];
  for (const [l, r] of join.on) {
    const leftKey = restateKey(l, left);
    const rightKey = restateKey(r, right);
    if (leftKey === undefined || rightKey === undefined) return undefined;
    on.push([leftKey, rightKey]);
  }
  return new HashJoinExec(newLeft, newRight, on, join.joinType, join.mode, {
    ...join.options,
    filter,
    projection: null,
  });
}

function restateKey(key: PhysicalExpr, picked: readonly PickedColumn[]): PhysicalExpr | undefined {
  return remapColumns(key, (column) => {
    const index = picked.findIndex(({ expr }) => expr.index === column.index);
    return index < 0 ? undefined : { ...column, index, name: picked[index]!.name };
  });
}

function restateFilter(
  filter: JoinFilter,
  left: readonly PickedColumn[],
  right: readonly PickedColumn[],
  newLeft: ExecutionPlan,
  newRight: ExecutionPlan,
): JoinFilter | undefined {
  const columns: JoinColumn[] = [];
  for (const { side, index } of filter.columns) {
    const position = (side === 'left' ? left : right).findIndex(({ expr }) => expr.index === index);
    if (position < 0) return undefined;
    columns.push({ side, index: position });
  }
  const schema = joinFilterSchema(columns, newLeft.schema, newRight.schema);
  const expr = mapPhysicalColumns(filter.expr, (column) => ({ ...column, name: schema.field(column.index).name }));
  return { expr, columns, schema };
}
