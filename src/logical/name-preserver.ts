import { alias, type Expr } from '../expr/expr.js';
import { schemaName } from '../expr/expr-display.js';
import type { LogicalPlan } from './plan.js';

/** Nodes whose output does not take its names from their expressions: what is rewritten there needs no alias. */
export function namesMatter(plan: LogicalPlan): boolean {
  return plan.kind !== 'filter' && plan.kind !== 'join' && plan.kind !== 'table_scan' && plan.kind !== 'limit';
}

/** The rewritten expression under the name the original had: an alias where the two differ. */
export function restoreName(original: Expr, rewritten: Expr): Expr {
  if (original === rewritten) return original;
  const { relation, name } = qualifiedName(original);
  const now = qualifiedName(rewritten);
  return now.relation === relation && now.name === name ? rewritten : alias(rewritten, name, relation);
}

/** Qualifier and name of an expression's output column. */
export function qualifiedName(expr: Expr): { readonly relation: string | null; readonly name: string } {
  if (expr.kind === 'column' || expr.kind === 'alias') return { relation: expr.relation, name: expr.name };
  return { relation: null, name: schemaName(expr) };
}
