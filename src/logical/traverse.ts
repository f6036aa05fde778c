import type { Expr } from '../expr/expr.js';
import { visitExpr } from '../expr/expr-transform.js';
import { subqueryOf } from '../expr/expr-utils.js';
import type { LogicalPlan } from './plan.js';
import { logicalSubquery } from './subquery.js';

/** The nodes a node reads. */
export function planInputs(plan: LogicalPlan): readonly LogicalPlan[] {
  switch (plan.kind) {
    case 'projection':
    case 'filter':
    case 'aggregate':
    case 'window':
    case 'sort':
    case 'subquery_alias':
    case 'subquery':
    case 'limit':
    case 'distinct':
    case 'distinct_on':
      return [plan.input];
    case 'join':
      return [plan.left, plan.right];
    case 'union':
      return plan.inputs;
    case 'table_scan':
    case 'values':
    case 'empty_relation':
      return [];
  }
}

/** The expressions of a node, in the order `mapPlanExprs` goes through them. */
export function planExprs(plan: LogicalPlan): readonly Expr[] {
  switch (plan.kind) {
    case 'projection':
      return plan.exprs;
    case 'filter':
      return [plan.predicate];
    case 'aggregate':
      return [...plan.groupBy, ...plan.aggregates];
    case 'window':
      return plan.windows;
    case 'sort':
      return plan.keys.map((key) => key.expr);
    case 'join':
      return [...plan.on.flat(), ...(plan.filter === null ? [] : [plan.filter])];
    case 'table_scan':
      return plan.filters;
    case 'distinct_on':
      return [...plan.on, ...plan.select, ...plan.sort.map((key) => key.expr)];
    case 'values':
      return plan.rows.flat();
    case 'subquery_alias':
    case 'subquery':
    case 'limit':
    case 'union':
    case 'distinct':
    case 'empty_relation':
      return [];
  }
}

/** Every node, parents first, subqueries in expressions included. */
export function visitPlan(plan: LogicalPlan, visit: (plan: LogicalPlan) => void): void {
  visit(plan);
  for (const expr of planExprs(plan)) {
    visitExpr(expr, (e) => {
      const inner = subqueryOf(e);
      if (inner !== undefined) visitPlan(logicalSubquery(inner).plan, visit);
    });
  }
  for (const input of planInputs(plan)) visitPlan(input, visit);
}
