import type { ColumnExpr, Expr } from '../expr/expr.js';
import { columnKey, replaceColumns } from '../expr/expr-transform.js';
import type { DFSchema } from './df-schema.js';

/** Columns by their key. */
type Columns = ReadonlySet<string>;

const NONE: Columns = new Set();

/** Columns any one of which being null makes the predicate not true (false or null). */
function nullRejectedColumns(predicate: Expr): Columns {
  switch (predicate.kind) {
    case 'binary':
      if (predicate.op === 'AND')
        return unite(nullRejectedColumns(predicate.left), nullRejectedColumns(predicate.right));
      if (predicate.op === 'OR')
        return intersect(nullRejectedColumns(predicate.left), nullRejectedColumns(predicate.right));
      return nullPropagatedColumns(predicate);
    case 'is':
      if (predicate.test === 'TRUE' && !predicate.negated) return nullRejectedColumns(predicate.expr);
      if (predicate.test === 'FALSE' && !predicate.negated) return nullPropagatedColumns(predicate.expr);
      return predicate.negated && (predicate.test === 'NULL' || predicate.test === 'UNKNOWN')
        ? nullPropagatedColumns(predicate.expr)
        : NONE;
    case 'alias':
      return nullRejectedColumns(predicate.expr);
    case 'column':
    case 'literal':
    case 'not':
    case 'negative':
    case 'between':
    case 'like':
    case 'case':
    case 'cast':
    case 'in_list':
    case 'scalar_function':
    case 'aggregate_function':
    case 'window_function':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
    case 'grouping_set':
      return nullPropagatedColumns(predicate);
  }
}

/** Columns any one of which being null makes the expression null. */
function nullPropagatedColumns(expr: Expr): Columns {
  switch (expr.kind) {
    case 'column':
      return new Set([columnKey(expr)]);
    case 'binary':
      if (expr.op === 'AND' || expr.op === 'OR') {
        return intersect(nullPropagatedColumns(expr.left), nullPropagatedColumns(expr.right));
      }
      if (expr.op === 'IS DISTINCT FROM' || expr.op === 'IS NOT DISTINCT FROM') return NONE;
      return unite(nullPropagatedColumns(expr.left), nullPropagatedColumns(expr.right));
    case 'alias':
    case 'not':
    case 'negative':
    case 'cast':
      return nullPropagatedColumns(expr.expr);
    case 'between':
      // A value beyond one bound decides even when the other is null.
      return nullPropagatedColumns(expr.expr);
    case 'like':
      return unite(nullPropagatedColumns(expr.expr), nullPropagatedColumns(expr.pattern));
    case 'in_list':
      return expr.list.length === 0 ? NONE : nullPropagatedColumns(expr.expr);
    case 'scalar_function':
      return expr.func.strict ? expr.args.map(nullPropagatedColumns).reduce(unite, NONE) : NONE;
    case 'literal':
    case 'is':
    case 'case':
    case 'aggregate_function':
    case 'window_function':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
    case 'grouping_set':
      return NONE;
  }
}

function unite(a: Columns, b: Columns): Columns {
  return a.size === 0 ? b : b.size === 0 ? a : new Set([...a, ...b]);
}

function intersect(a: Columns, b: Columns): Columns {
  return new Set([...a].filter((key) => b.has(key)));
}

/** The predicate is not true in any row where one of the columns is null. */
export function rejectsNull(predicate: Expr, columns: readonly ColumnExpr[]): boolean {
  const rejected = nullRejectedColumns(predicate);
  return columns.some((column) => rejected.has(columnKey(column)));
}

/**
 * Which sides of a join the predicate sees missing: with all columns of that side null it is not true. Under OR different columns of
 * one side count together, since they are all null at once.
 */
export function nullRejectedSides(
  predicate: Expr,
  left: DFSchema,
  right: DFSchema,
): { readonly left: boolean; readonly right: boolean } {
  const side = (schema: DFSchema, other: DFSchema): boolean => {
    const onSide = (column: ColumnExpr): boolean => schema.has(column) && !other.has(column);
    const marked = replaceColumns(predicate, (column) => (onSide(column) ? SIDE : undefined));
    return nullRejectedColumns(marked).has(columnKey(SIDE));
  };
  return { left: side(left, right), right: side(right, left) };
}

/** Stands for every column of the side in question. */
const SIDE: ColumnExpr = { kind: 'column', relation: '', name: '' };
