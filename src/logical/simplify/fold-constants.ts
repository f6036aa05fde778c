import { type Expr, literal } from '../../expr/expr.js';
import { exprChildren, mapExprChildren } from '../../expr/expr-transform.js';
import type { ConstantEvaluator } from '../optimizer-rule.js';

/** Replaces every part without columns by its value, largest parts last (so that an error inside one keeps only that one). */
export function foldConstants(expr: Expr, constants: ConstantEvaluator): Expr {
  const folded = mapExprChildren(expr, (child) => foldConstants(child, constants));
  if (folded.kind === 'literal' || !isConstant(folded)) return folded;
  const value = constants.evaluate(folded);
  return value === undefined ? folded : literal(value);
}

const constant = new WeakMap<Expr, boolean>();

/** Whether an expression can be worked out ahead of time: built from literals and functions that are not volatile. */
function isConstant(expr: Expr): boolean {
  let known = constant.get(expr);
  if (known === undefined) {
    known = canEvaluate(expr) && exprChildren(expr).every(isConstant);
    constant.set(expr, known);
  }
  return known;
}

function canEvaluate(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
    case 'binary':
    case 'not':
    case 'negative':
    case 'is':
    case 'between':
    case 'like':
    case 'case':
    case 'cast':
    case 'in_list':
      return true;
    case 'scalar_function':
      return expr.func.volatility !== 'volatile';
    case 'column':
    case 'alias':
    case 'aggregate_function':
    case 'window_function':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
    case 'grouping_set':
      return false;
  }
}
