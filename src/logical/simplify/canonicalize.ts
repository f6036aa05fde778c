import { type Expr, type ColumnExpr } from '../../expr/expr.js';
import { swappedComparison } from '../../expr/operators.js';
import { transformExprUp } from '../../expr/expr-transform.js';

/**
 * One order for the sides of comparisons, so that equal conditions look equal: `literal op column` is turned, and of two columns
 * the one that sorts later stands first.
 */
export function canonicalize(expr: Expr): Expr {
  return transformExprUp(expr, (e) => {
    if (e.kind !== 'binary') return e;
    const op = swappedComparison(e.op);
    if (op === undefined || e.right.kind !== 'column') return e;
    const turn = e.left.kind === 'literal' || (e.left.kind === 'column' && compareColumns(e.right, e.left) > 0);
    return turn ? { ...e, left: e.right, op, right: e.left } : e;
  });
}

/** Order of columns: by qualifier (none first), then by name, both by their bytes. */
export function compareColumns(a: ColumnExpr, b: ColumnExpr): number {
  if (a.relation !== b.relation) {
    if (a.relation === null) return -1;
    if (b.relation === null) return 1;
    return compareBytes(a.relation, b.relation);
  }
  return compareBytes(a.name, b.name);
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
