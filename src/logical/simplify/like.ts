import { binary, type Expr, type LikeExpr, literal } from '../../expr/expr.js';
import { isNullLiteral, TRUE } from '../../expr/expr-utils.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import type { SimplifyInfo } from './simplify-info.js';

/** LIKE with a constant pattern that has no wildcard is `=`; `%` alone only asks for a value; runs of `%` are one. */
export function simplifyLike(expr: LikeExpr, info: SimplifyInfo): Expr | undefined {
  if (expr.similarTo) return undefined;
  if (isNullLiteral(expr.pattern) || isNullLiteral(expr.expr)) return literal(scalar(BOOLEAN, null));
  if (expr.pattern.kind !== 'literal' || typeof expr.pattern.value.value !== 'string') return undefined;
  const { type, value: pattern } = expr.pattern.value;
  const escape = expr.escape ?? '\\';
  if (pattern === '%' && expr.escape !== '%') return anyText(expr, info);
  // A pattern with the escape character in it means what only the matcher can say.
  if (pattern.includes(escape)) return undefined;
  const shorter = pattern.replace(/%{2,}/g, '%');
  if (shorter !== pattern) return { ...expr, pattern: literal(scalar(type, shorter)) };
  if (expr.caseInsensitive || expr.escape !== null || /[%_]/.test(pattern)) return undefined;
  return binary(expr.expr, expr.negated ? '!=' : '=', expr.pattern);
}

/** `x LIKE '%'`: true where x is not null, null where it is. */
function anyText(expr: LikeExpr, info: SimplifyInfo): Expr {
  const answer = literal(scalar(BOOLEAN, !expr.negated));
  if (!info.nullable(expr.expr)) return answer;
  const known: Expr = { kind: 'is', expr: expr.expr, test: 'NULL', negated: true };
  return { kind: 'case', operand: known, branches: [{ when: TRUE, then: answer }], otherwise: null };
}
