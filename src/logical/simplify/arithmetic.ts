import { type DataType, isFloating, isInteger, typesEqual } from '../../columnar/data-type.js';
import { type ScalarValue, scalar } from '../../columnar/scalar-value.js';
import { type BinaryExpr, cast, type Expr, literal, type NegativeExpr } from '../../expr/expr.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { isNullLiteral } from '../../expr/expr-utils.js';
import type { SimplifyInfo } from './simplify-info.js';

/** `x * 1`, `x / 1`, `x * 0`, `x % 1` and arithmetic with null. `x + 0` stays, as in DataFusion. */
export function simplifyArithmetic(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { left, op, right } = expr;
  if (op !== '*' && op !== '/' && op !== '%') return undefined;
  const type = info.type(expr);
  if (isNullLiteral(left) || isNullLiteral(right)) return literal(scalar(type, null));
  if (op === '*' && isNumber(right, 1n)) return asType(left, type, info);
  if (op === '*' && isNumber(left, 1n)) return asType(right, type, info);
  if (op === '/' && isNumber(right, 1n)) return asType(left, type, info);
  // NaN and infinities do not vanish against 0.
  if (op === '*' && !isFloating(type)) {
    if (isNumber(right, 0n) && !info.nullable(left)) return zero(type);
    if (isNumber(left, 0n) && !info.nullable(right)) return zero(type);
  }
  if (op === '%' && isInteger(type) && isNumber(right, 1n) && !info.nullable(left)) return zero(type);
  return undefined;
}

export function simplifyBitwise(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { left, op, right } = expr;
  if (op !== '&' && op !== '|' && op !== 'BIT_XOR' && op !== '<<' && op !== '>>') return undefined;
  if (isNullLiteral(left) || isNullLiteral(right)) return literal(scalar(info.type(expr), null));
  const shift = op === '<<' || op === '>>';
  if (op === '&') {
    if (isNumber(right, 0n) && !info.nullable(left)) return zero(info.type(expr));
    if (isNumber(left, 0n) && !info.nullable(right)) return zero(info.type(expr));
  } else {
    if (isNumber(right, 0n)) return left;
    if (isNumber(left, 0n) && !shift) return right;
  }
  return (op === '&' || op === '|') && exprsEqual(left, right) ? left : undefined;
}

/** `-(-x)` → `x` */
export function simplifyNegative(expr: NegativeExpr): Expr {
  return expr.expr.kind === 'negative' ? expr.expr.expr : expr;
}

/** The operand in the type the operation would have given it. */
function asType(expr: Expr, type: DataType, info: SimplifyInfo): Expr {
  return typesEqual(info.type(expr), type) ? expr : cast(expr, type);
}

function zero(type: DataType): Expr {
  const big = type.kind === 'Int64' || type.kind === 'UInt64' || type.kind === 'Decimal128';
  return literal(scalar(type, big ? 0n : 0));
}

function isNumber(expr: Expr, wanted: 0n | 1n): boolean {
  return expr.kind === 'literal' && numberIs(expr.value, wanted);
}

function numberIs({ type, value }: ScalarValue, wanted: 0n | 1n): boolean {
  if (type.kind === 'Decimal128') return value === wanted * 10n ** BigInt(Math.max(0, type.scale));
  if (!isInteger(type) && !isFloating(type)) return false;
  return value === wanted || value === Number(wanted);
}
