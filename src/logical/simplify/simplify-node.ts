import { BOOLEAN } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { type BinaryExpr, binary, type Expr, literal } from '../../expr/expr.js';
import { isLiteralBoolean, isNullLiteral } from '../../expr/expr-utils.js';
import { isArithmetic, isComparison } from '../../expr/operators.js';
import { simplifyArithmetic, simplifyBitwise, simplifyNegative } from './arithmetic.js';
import { negate, simplifyAnd, simplifyOr } from './boolean.js';
import { simplifyCase } from './case.js';
import { simplifyComparison } from './comparison.js';
import { simplifyInList } from './in-list.js';
import { simplifyLike } from './like.js';
import { simplifyRegex } from './regex.js';
import type { SimplifyInfo } from './simplify-info.js';

/** One step at one node whose children are simplified already; the same object when no rule applies. */
export function simplifyNode(expr: Expr, info: SimplifyInfo): Expr {
  switch (expr.kind) {
    case 'binary':
      return simplifyBinary(expr, info) ?? expr;
    case 'not':
      return negate(expr.expr) ?? expr;
    case 'negative':
      return simplifyNegative(expr);
    case 'is':
      if (expr.test === 'NULL' || expr.test === 'UNKNOWN') {
        if (!info.nullable(expr.expr)) return literal(scalar(BOOLEAN, expr.negated));
      }
      return expr;
    case 'between':
      return expr.negated
        ? binary(binary(expr.expr, '<', expr.low), 'OR', binary(expr.expr, '>', expr.high))
        : binary(binary(expr.expr, '>=', expr.low), 'AND', binary(expr.expr, '<=', expr.high));
    case 'like':
      return simplifyLike(expr, info) ?? expr;
    case 'case':
      return simplifyCase(expr, info) ?? expr;
    case 'in_list':
      return simplifyInList(expr, info) ?? expr;
    case 'scalar_function':
      return expr.func.simplify?.(expr.args, info) ?? expr;
    case 'column':
    case 'literal':
    case 'alias':
    case 'cast':
    case 'aggregate_function':
    case 'window_function':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
    case 'grouping_set':
      return expr;
  }
}

function simplifyBinary(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { op } = expr;
  if (op === 'AND') return simplifyAnd(expr, info);
  if (op === 'OR') return simplifyOr(expr, info);
  if (isArithmetic(op)) return simplifyArithmetic(expr, info);
  if (isComparison(op)) return simplifyTruthComparison(expr, info) ?? simplifyComparison(expr, info);
  return simplifyBitwise(expr, info) ?? simplifyRegex(expr);
}

/** `b = true` → `b`, `b != true` → `NOT b` and their like; null makes null. */
function simplifyTruthComparison({ left, op, right }: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  if (op !== '=' && op !== '!=') return undefined;
  for (const [constant, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (constant.kind !== 'literal' || constant.value.type.kind !== 'Boolean' || !info.isBoolean(other)) continue;
    if (isNullLiteral(constant)) return constant;
    const keep = isLiteralBoolean(constant, op === '=');
    return keep ? other : { kind: 'not', expr: other };
  }
  return undefined;
}
