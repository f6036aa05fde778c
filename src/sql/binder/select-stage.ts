import type { Expr, SortExpr } from '../../expr/expr.js';
import { schemaName } from '../../expr/expr-display.js';
import { indexOfExpr } from '../../expr/expr-equality.js';
import { transformExprDown } from '../../expr/expr-transform.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { asOutputColumn } from './columns.js';

/** The clauses of a SELECT, bound over its input. */
export interface Clauses {
  readonly groupBy: readonly Expr[];
  readonly having: Expr | null;
  readonly qualify: Expr | null;
  readonly orderBy: readonly SortExpr[];
  /** DISTINCT ON */
  readonly on: readonly Expr[];
}

/** The expressions behind the select list, rewritten as grouping and windows go by. */
export interface Stage extends Omit<Clauses, 'groupBy'> {
  readonly plan: LogicalPlan;
  readonly select: readonly Expr[];
  readonly isAggregate: boolean;
}

/** The expression over the output of `plan`, where each of the bases is a column. */
export function rebase(expr: Expr, bases: readonly Expr[], plan: LogicalPlan): Expr {
  return transformExprDown(expr, (e) => (indexOfExpr(bases, e) < 0 ? e : asOutputColumn(e, plan, schemaName(e))));
}
