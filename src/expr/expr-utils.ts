import { BOOLEAN } from '../columnar/data-type.js';
import { scalar } from '../columnar/scalar-value.js';
import { binary, type Expr, type LiteralExpr, literal, type SubqueryPlan } from './expr.js';
import { someExpr, transformExprUp } from './expr-transform.js';

/** The operands of nested ANDs, left to right; aliases around them are looked through. */
export function splitConjunction(expr: Expr): Expr[] {
  const found: Expr[] = [];
  const walk = (e: Expr): void => {
    if (e.kind === 'binary' && e.op === 'AND') {
      walk(e.left);
      walk(e.right);
    } else if (e.kind === 'alias') {
      walk(e.expr);
    } else {
      found.push(e);
    }
  };
  walk(expr);
  return found;
}

/** `a AND b AND c`, left-deep; undefined for no operands. */
export function conjunction(exprs: readonly Expr[]): Expr | undefined {
  const [first, ...rest] = exprs;
  return first === undefined ? undefined : rest.reduce((joined: Expr, expr) => binary(joined, 'AND', expr), first);
}

/** The expression under its aliases. */
export function unalias(expr: Expr): Expr {
  return expr.kind === 'alias' ? unalias(expr.expr) : expr;
}

/** The expression without aliases anywhere inside it. */
export function unaliasNested(expr: Expr): Expr {
  return transformExprUp(expr, unalias);
}

export const TRUE: LiteralExpr = literal(scalar(BOOLEAN, true));
export const FALSE: LiteralExpr = literal(scalar(BOOLEAN, false));
export const NULL_BOOLEAN: LiteralExpr = literal(scalar(BOOLEAN, null));

export function isLiteralBoolean(expr: Expr, value: boolean | null): boolean {
  if (expr.kind !== 'literal') return false;
  return value === null ? expr.value.value === null : expr.value.value === value;
}

export function isNullLiteral(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.value.value === null;
}

/** Evaluating it twice may give two answers (`random()`). */
export function isVolatile(expr: Expr): boolean {
  return someExpr(expr, (e) => e.kind === 'scalar_function' && e.func.volatility === 'volatile');
}

export function hasSubquery(expr: Expr): boolean {
  return someExpr(expr, (e) => subqueryOf(e) !== undefined);
}

/** The plan an expression node holds itself, not one of its children. */
export function subqueryOf(expr: Expr): SubqueryPlan | undefined {
  return 'subquery' in expr ? expr.subquery : undefined;
}

export function hasOuterReference(expr: Expr): boolean {
  return someExpr(expr, (e) => e.kind === 'outer_reference');
}

export function hasAggregate(expr: Expr): boolean {
  return someExpr(expr, (e) => e.kind === 'aggregate_function');
}

export function hasWindow(expr: Expr): boolean {
  return someExpr(expr, (e) => e.kind === 'window_function');
}
