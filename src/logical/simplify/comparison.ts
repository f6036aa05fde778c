import { BOOLEAN } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { type BinaryExpr, binary, type CaseExpr, type Expr, literal } from '../../expr/expr.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { isNullLiteral, isVolatile, NULL_BOOLEAN, TRUE } from '../../expr/expr-utils.js';
import { preimageComparison } from './preimage.js';
import type { SimplifyInfo } from './simplify-info.js';
import { unwrapCastComparison } from './unwrap-cast.js';

export function simplifyComparison(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { left, op, right } = expr;
  const distinct = op === 'IS DISTINCT FROM' || op === 'IS NOT DISTINCT FROM';
  if (!distinct && (isNullLiteral(left) || isNullLiteral(right))) return literal(scalar(BOOLEAN, null));
  // A = A is true unless A is null.
  if (op === '=' && exprsEqual(left, right) && !isVolatile(left)) {
    if (!info.nullable(left)) return TRUE;
    const known: Expr = { kind: 'is', expr: left, test: 'NULL', negated: true };
    return binary(known, 'OR', NULL_BOOLEAN);
  }
  return caseComparison(expr) ?? unwrapCastComparison(expr, info) ?? preimageComparison(expr, info);
}

/** `CASE … THEN 1 … THEN 2 … END = 2`, constants only: the comparison moves into the branches. */
function caseComparison({ left, op, right }: BinaryExpr): Expr | undefined {
  if ((op !== '=' && op !== '!=') || left.kind !== 'case' || right.kind !== 'literal') return undefined;
  const values = left.branches.map((branch) => branch.then);
  if (left.otherwise !== null) values.push(left.otherwise);
  if (!values.every((value) => value.kind === 'literal')) return undefined;
  const pushed: CaseExpr = {
    ...left,
    branches: left.branches.map(({ when, then }) => ({ when, then: binary(then, op, right) })),
    otherwise: left.otherwise === null ? null : binary(left.otherwise, op, right),
  };
  return pushed;
}
