import {
  physicalChildren,
  visitPhysical,
  withPhysicalChildren,
  mapPhysicalColumns,
  columnIndices,
} from '../../expr/physical-expr-transform.js';
import { type PhysicalColumn, type PhysicalExpr, physicalColumn } from '../../expr/physical-expr.js';
import type { ProjectedExpr } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { type JoinColumn, type JoinFilter, joinFilterSchema, type JoinSide } from '../operators/join-filter.js';
import { joinOutputSides } from '../operators/join-schema.js';
import { NestedLoopJoinExec } from '../operators/nested-loop-join-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';

/**
 * Parts of a nested loop join's filter that need one side only are computed once per row of that side, in a projection below, not once
 * per pair. The join hides the added columns with an embedded projection.
 */
export function pushJoinFilterParts(join: NestedLoopJoinExec, nextName: () => string): ExecutionPlan {
  const sides = joinOutputSides(join.joinType);
  if (join.filter === null || sides.mark) return join;
  const rewriter = new FilterRewriter(join, join.filter, nextName);
  const withLeft = rewriter.rewrite(join.filter.expr, 'left');
  const expr = rewriter.rewrite(withLeft, 'right');
  if (expr === join.filter.expr) return join;
  const left = rewriter.plan('left');
  const right = rewriter.plan('right');
  const added = left.schema.length - join.left.schema.length;
  const leftLength = join.left.schema.length;
  const projection =
    join.projection?.map((index) => (sides.left && index >= leftLength ? index + added : index)) ??
    originalOutput(join, left.schema.length);
  const filter = minimize(expr, rewriter.columns, left, right);
  return new NestedLoopJoinExec(left, right, join.joinType, filter, projection);
}

/** The join's old output, in a join whose left side has become wider. */
function originalOutput(join: NestedLoopJoinExec, widerLeft: number): number[] {
  const sides = joinOutputSides(join.joinType);
  const positions: number[] = [];
  if (sides.left) positions.push(...join.left.schema.fields.keys());
  const offset = sides.left ? widerLeft : 0;
  if (sides.right) for (const index of join.right.schema.fields.keys()) positions.push(offset + index);
  return positions;
}

class FilterRewriter {
  /** Where each column of the growing intermediate schema comes from. */
  readonly columns: JoinColumn[];
  readonly #inputs: Readonly<Record<JoinSide, ExecutionPlan>>;
  readonly #projections: Readonly<Record<JoinSide, ProjectedExpr[]>>;
  readonly #added = { left: false, right: false };
  readonly #nextName: () => string;

  constructor(join: NestedLoopJoinExec, filter: JoinFilter, nextName: () => string) {
    this.columns = [...filter.columns];
    this.#inputs = { left: join.left, right: join.right };
    const all = ({ schema }: ExecutionPlan): ProjectedExpr[] =>
      schema.fields.map(({ name }, index) => ({ expr: physicalColumn(schema, index), name }));
    this.#projections = { left: all(join.left), right: all(join.right) };
    this.#nextName = nextName;
  }

  /** The side's input, under a projection when columns were added. */
  plan(side: JoinSide): ExecutionPlan {
    return this.#added[side] ? new ProjectionExec(this.#projections[side], this.#inputs[side]) : this.#inputs[side];
  }

  rewrite(expr: PhysicalExpr, side: JoinSide): PhysicalExpr {
    const needs = this.#sidesOf(expr);
    if (!needs[side]) return expr;
    const children = physicalChildren(expr);
    if (needs.left && needs.right) {
      const rewritten = children.map((child) => this.rewrite(child, side));
      return rewritten.every((child, i) => child === children[i]) ? expr : withPhysicalChildren(expr, rewritten);
    }
    if (children.length === 0) return expr;
    if (isVolatile(expr)) {
      return withPhysicalChildren(
        expr,
        children.map((child) => this.rewrite(child, side)),
      );
    }
    return this.#compute(expr, side);
  }

  #sidesOf(expr: PhysicalExpr): Record<JoinSide, boolean> {
    const sides = { left: false, right: false };
    for (const index of columnIndices([expr])) sides[this.columns[index]!.side] = true;
    return sides;
  }

  #compute(expr: PhysicalExpr, side: JoinSide): PhysicalColumn {
    const { schema } = this.#inputs[side];
    const overSide = mapPhysicalColumns(expr, (column) => physicalColumn(schema, this.columns[column.index]!.index));
    const name = this.#nextName();
    const index = this.#projections[side].push({ expr: overSide, name }) - 1;
    this.#added[side] = true;
    const place = this.columns.push({ side, index }) - 1;
    return { kind: 'column', name, index: place, type: expr.type, nullable: expr.nullable };
  }
}

/** The filter over just the columns it still needs. */
function minimize(
  expr: PhysicalExpr,
  columns: readonly JoinColumn[],
  left: ExecutionPlan,
  right: ExecutionPlan,
): JoinFilter {
  const used = columnIndices([expr]);
  const kept = used.map((index) => columns[index]!);
  return {
    expr: mapPhysicalColumns(expr, (column) => ({ ...column, index: used.indexOf(column.index) })),
    columns: kept,
    schema: joinFilterSchema(kept, left.schema, right.schema),
  };
}

function isVolatile(expr: PhysicalExpr): boolean {
  let found = false;
  visitPhysical(expr, (node) => {
    if (node.kind === 'scalar_function' && node.func.volatility === 'volatile') found = true;
  });
  return found;
}
