import { BOOLEAN } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { binary, type Expr, type InListExpr, literal } from '../../expr/expr.js';
import { distinctExprs, exprKey, exprsEqual } from '../../expr/expr-equality.js';
import { isNullLiteral } from '../../expr/expr-utils.js';
import type { SimplifyInfo } from './simplify-info.js';
import { preimageInList } from './preimage.js';
import { unwrapCastInList } from './unwrap-cast.js';

/** A list of a plain column up to this long is written as comparisons. */
const INLINE_THRESHOLD = 3;

export function simplifyInList(expr: InListExpr, info: SimplifyInfo): Expr | undefined {
  if (expr.list.length === 0) return literal(scalar(BOOLEAN, expr.negated));
  if (isNullLiteral(expr.expr)) return literal(scalar(BOOLEAN, null));
  return unwrapCastInList(expr, info) ?? preimageInList(expr, info);
}

/** Comparisons of short lists: `a IN (1, 2)` → `a = 1 OR a = 2`, `a NOT IN (1, 2)` → `a != 1 AND a != 2`. */
export function shortenInList(expr: Expr): Expr {
  if (expr.kind !== 'in_list') return expr;
  const inline = expr.list.length === 1 || (expr.list.length <= INLINE_THRESHOLD && expr.expr.kind === 'column');
  const [first, ...rest] = expr.list.map((item) => binary(expr.expr, expr.negated ? '!=' : '=', item));
  if (!inline || first === undefined) return expr;
  return rest.reduce((joined, item) => binary(joined, expr.negated ? 'AND' : 'OR', item), first);
}

/** `a = 1 OR a = 2` → `a IN (1, 2)`: short lists are taken apart again at the end, long chains stay lists. */
export function equalitiesToInList(left: Expr, right: Expr): Expr | undefined {
  const a = asInList(left);
  const b = asInList(right);
  if (a === undefined || b === undefined || !exprsEqual(a.expr, b.expr)) return undefined;
  return { ...a, list: distinctExprs([...a.list, ...b.list]) };
}

function asInList(expr: Expr): InListExpr | undefined {
  if (expr.kind === 'in_list') return expr.negated || expr.expr.kind !== 'column' ? undefined : expr;
  if (expr.kind !== 'binary' || expr.op !== '=') return undefined;
  const [column, item] = expr.left.kind === 'column' ? [expr.left, expr.right] : [expr.right, expr.left];
  if (column.kind !== 'column' || item.kind !== 'literal') return undefined;
  return { kind: 'in_list', expr: column, list: [item], negated: false };
}

/** Two lists over one expression as one: intersection, union or difference. */
export function combineInLists(left: Expr, op: 'AND' | 'OR', right: Expr): Expr | undefined {
  if (left.kind !== 'in_list' || right.kind !== 'in_list' || !exprsEqual(left.expr, right.expr)) return undefined;
  // Only constants can be compared with one another here.
  if (![...left.list, ...right.list].every((item) => item.kind === 'literal' && item.value.value !== null)) {
    return undefined;
  }
  if (!left.negated && !right.negated) {
    return op === 'AND'
      ? withList(left, common(left, right))
      : withList(left, distinctExprs([...left.list, ...right.list]));
  }
  if (left.negated && right.negated) {
    return op === 'AND'
      ? withList(left, distinctExprs([...left.list, ...right.list]))
      : withList(left, common(left, right));
  }
  if (op === 'OR') return undefined;
  const [included, excluded] = left.negated ? [right, left] : [left, right];
  const keys = new Set(excluded.list.map(exprKey));
  return withList(
    included,
    included.list.filter((item) => !keys.has(exprKey(item))),
  );
}

function common(left: InListExpr, right: InListExpr): Expr[] {
  const keys = new Set(right.list.map(exprKey));
  return left.list.filter((item) => keys.has(exprKey(item)));
}

/** An empty list is false, and NOT IN an empty list true. */
function withList(expr: InListExpr, list: readonly Expr[]): Expr {
  return list.length === 0 ? literal(scalar(BOOLEAN, expr.negated)) : { ...expr, list };
}
