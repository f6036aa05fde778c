import { type BinaryExpr, binary, type Expr, type LogicalOperator } from '../../expr/expr.js';
import { exprKey, exprsEqual } from '../../expr/expr-equality.js';
import { conjunction, FALSE, isLiteralBoolean, isVolatile, splitConjunction, TRUE } from '../../expr/expr-utils.js';
import { negatedComparison } from '../../expr/operators.js';
import { combineInLists, equalitiesToInList } from './in-list.js';
import type { SimplifyInfo } from './simplify-info.js';

export function simplifyOr(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { left, right } = expr;
  if (isLiteralBoolean(left, true) || isLiteralBoolean(right, true)) return TRUE;
  if (isLiteralBoolean(left, false)) return right;
  if (isLiteralBoolean(right, false)) return left;
  if (isNegationOf(left, right) && !info.nullable(left)) return TRUE;
  if (isNegationOf(right, left) && !info.nullable(right)) return TRUE;
  if (contains(left, right, 'OR')) return left;
  if (contains(right, left, 'OR')) return right;
  // A OR (A AND B) → A
  if (isOperand(right, left, 'AND')) return left;
  if (isOperand(left, right, 'AND')) return right;
  return factorConjunctions(left, right) ?? equalitiesToInList(left, right) ?? combineInLists(left, 'OR', right);
}

export function simplifyAnd(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  const { left, right } = expr;
  if (isLiteralBoolean(left, false) || isLiteralBoolean(right, false)) return FALSE;
  if (isLiteralBoolean(left, true)) return right;
  if (isLiteralBoolean(right, true)) return left;
  if (isNegationOf(left, right) && !info.nullable(left)) return FALSE;
  if (isNegationOf(right, left) && !info.nullable(right)) return FALSE;
  if (contains(left, right, 'AND')) return left;
  if (contains(right, left, 'AND')) return right;
  // A AND (A OR B) → A
  if (isOperand(right, left, 'OR')) return left;
  if (isOperand(left, right, 'OR')) return right;
  return pinchedRange(left, right) ?? combineInLists(left, 'AND', right);
}

/** `b` is `NOT a`. */
function isNegationOf(a: Expr, b: Expr): boolean {
  return b.kind === 'not' && exprsEqual(a, b.expr);
}

/** `needle` is one of the operands of `haystack` (or itself), seen as a chain of `op`. */
function contains(haystack: Expr, needle: Expr, op: LogicalOperator): boolean {
  if (isVolatile(needle)) return false;
  const inside = (e: Expr): boolean =>
    e.kind === 'binary' && e.op === op ? inside(e.left) || inside(e.right) : exprsEqual(e, needle);
  return inside(haystack);
}

/** `haystack` is `needle op x` or `x op needle`. */
function isOperand(haystack: Expr, needle: Expr, op: LogicalOperator): boolean {
  return (
    haystack.kind === 'binary' &&
    haystack.op === op &&
    (exprsEqual(haystack.left, needle) || exprsEqual(haystack.right, needle)) &&
    !isVolatile(needle)
  );
}

/** `(A AND B) OR (A AND C)` → `A AND (B OR C)` */
function factorConjunctions(left: Expr, right: Expr): Expr | undefined {
  const leftTerms = splitConjunction(left);
  const rightTerms = splitConjunction(right);
  const leftKeys = new Set(leftTerms.map(exprKey));
  const common = rightTerms.filter((term) => leftKeys.has(exprKey(term)) && !isVolatile(term));
  const shared = conjunction(common);
  if (shared === undefined) return undefined;
  const commonKeys = new Set(common.map(exprKey));
  const rest = (terms: readonly Expr[]): Expr | undefined =>
    conjunction(terms.filter((term) => !commonKeys.has(exprKey(term))));
  const leftRest = rest(leftTerms);
  const rightRest = rest(rightTerms);
  return leftRest === undefined || rightRest === undefined
    ? shared
    : binary(shared, 'AND', binary(leftRest, 'OR', rightRest));
}

/** `A >= c AND A <= c` → `A = c` */
function pinchedRange(left: Expr, right: Expr): Expr | undefined {
  if (left.kind !== 'binary' || right.kind !== 'binary') return undefined;
  const ops = `${left.op} ${right.op}`;
  if (ops !== '>= <=' && ops !== '<= >=') return undefined;
  const same = exprsEqual(left.left, right.left) && exprsEqual(left.right, right.right);
  return same && left.right.kind === 'literal' ? binary(left.left, '=', left.right) : undefined;
}

/** `NOT expr` with the NOT moved inside, or undefined where it must stay outside. */
export function negate(expr: Expr): Expr | undefined {
  switch (expr.kind) {
    case 'binary': {
      const op = negatedComparison(expr.op);
      if (op !== undefined) return { ...expr, op };
      if (expr.op !== 'AND' && expr.op !== 'OR') return undefined;
      const inside = (e: Expr): Expr => negate(e) ?? { kind: 'not', expr: e };
      return binary(inside(expr.left), expr.op === 'AND' ? 'OR' : 'AND', inside(expr.right));
    }
    case 'not':
      return expr.expr;
    case 'is':
      return expr.test === 'NULL' ? { ...expr, negated: !expr.negated } : undefined;
    case 'in_list':
    case 'in_subquery':
    case 'between':
      return { ...expr, negated: !expr.negated };
    case 'like':
      return expr.similarTo ? undefined : { ...expr, negated: !expr.negated };
    case 'column':
    case 'literal':
    case 'alias':
    case 'negative':
    case 'case':
    case 'cast':
    case 'scalar_function':
    case 'aggregate_function':
    case 'window_function':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
    case 'set_comparison':
    case 'grouping_set':
      return undefined;
  }
}
