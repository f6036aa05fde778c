import type { DataType } from '../../columnar/data-type.js';
import { isComparison, swappedComparison } from '../../expr/operators.js';
import { type BinaryExpr, binary, type BinaryOperator, type Expr, type InListExpr, literal } from '../../expr/expr.js';
import { canConvertLosslessly, losslessLiteral } from '../literal-cast.js';
import type { SimplifyInfo } from './simplify-info.js';

/**
 * `CAST(x AS T) op literal` → `x op literal'`, when the literal has an exact counterpart in the type of `x`: filters then compare
 * stored values, and row groups can be pruned.
 */
export function unwrapCastComparison(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { left, op, right } = expr;
  if (!isComparison(op)) return undefined;
  if (left.kind === 'cast' && right.kind === 'literal') return unwrap(left, op, right, info);
  if (left.kind === 'literal' && right.kind === 'cast') {
    const turned = swappedComparison(op);
    return turned === undefined ? undefined : unwrap(right, turned, left, info);
  }
  return undefined;
}

function unwrap(
  cast: Extract<Expr, { kind: 'cast' }>,
  op: BinaryOperator,
  constant: Extract<Expr, { kind: 'literal' }>,
  info: SimplifyInfo,
): Expr | undefined {
  const inner = cast.expr;
  const type = info.type(inner);
  if (!mayUnwrap(type, cast.type)) return undefined;
  const value = losslessLiteral(constant.value, type);
  return value === undefined ? undefined : binary(inner, op, literal(value));
}

/** The same for IN lists, when every item has a counterpart. */
export function unwrapCastInList(expr: InListExpr, info: SimplifyInfo): Expr | undefined {
  const { expr: cast } = expr;
  if (cast.kind !== 'cast') return undefined;
  const type = info.type(cast.expr);
  if (!mayUnwrap(type, cast.type)) return undefined;
  const list: Expr[] = [];
  for (const item of expr.list) {
    const value = item.kind === 'literal' ? losslessLiteral(item.value, type) : undefined;
    if (value === undefined) return undefined;
    list.push(literal(value));
  }
  return { ...expr, expr: cast.expr, list };
}

/** A cast that drops digits of a timestamp maps many values to one: comparing before it is another question. */
function mayUnwrap(from: DataType, to: DataType): boolean {
  if (!canConvertLosslessly(from) || !canConvertLosslessly(to)) return false;
  if (from.kind === 'Timestamp' && to.kind === 'Timestamp') return FINENESS[from.unit] <= FINENESS[to.unit];
  return true;
}

const FINENESS = { s: 0, ms: 1, us: 2, ns: 3 } as const;
