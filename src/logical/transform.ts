import { invariant } from '../base/errors.js';
import type { Expr, SortExpr } from '../expr/expr.js';
import { ChangeTracker, mapExprChildren } from '../expr/expr-transform.js';
import * as build from './builder.js';
import type { LogicalPlan } from './plan.js';
import { logicalSubquery } from './subquery.js';
import { planInputs } from './traverse.js';

/** The node over other inputs, its schema worked out anew; the same object when they are the same. */
export function withInputs(plan: LogicalPlan, inputs: readonly LogicalPlan[]): LogicalPlan {
  const old = planInputs(plan);
  invariant(old.length === inputs.length, `${plan.kind} takes ${old.length} inputs, not ${inputs.length}`);
  if (old.every((input, index) => input === inputs[index])) return plan;
  const [input, second] = inputs;
  invariant(input, 'a node with inputs has a first one');
  switch (plan.kind) {
    case 'projection':
      return build.projection(plan.exprs, input);
    case 'filter':
      return build.filter(plan.predicate, input);
    case 'aggregate':
      return build.aggregate(plan.groupBy, plan.aggregates, input);
    case 'window':
      return build.window(plan.windows, input);
    case 'sort':
      return build.sort(plan.keys, input, plan.fetch);
    case 'join':
      invariant(second, 'a join has two inputs');
      return build.join(input, second, plan.joinType, plan);
    case 'subquery_alias':
      return build.subqueryAlias(plan.alias, input);
    case 'subquery':
      return build.subquery(input, plan.outerColumns);
    case 'limit':
      return build.limit(plan.skip, plan.fetch, input);
    case 'union':
      return build.union(inputs);
    case 'distinct':
      return build.distinct(input);
    case 'distinct_on':
      return build.distinctOn(plan.on, plan.select, plan.sort, input);
    case 'table_scan':
    case 'values':
    case 'empty_relation':
      return plan;
  }
}

/** The node with `map` applied to each of its expressions, its schema worked out anew; the same object when none changed. */
export function mapPlanExprs(plan: LogicalPlan, map: (expr: Expr) => Expr): LogicalPlan {
  const changes = new ChangeTracker(map);
  const one = changes.map;
  const keys = (sorts: readonly SortExpr[]): SortExpr[] => sorts.map((key) => ({ ...key, expr: one(key.expr) }));
  switch (plan.kind) {
    case 'projection': {
      const exprs = plan.exprs.map(one);
      return changes.any ? build.projection(exprs, plan.input) : plan;
    }
    case 'filter': {
      const predicate = one(plan.predicate);
      return changes.any ? build.filter(predicate, plan.input) : plan;
    }
    case 'aggregate': {
      const groupBy = plan.groupBy.map(one);
      const aggregates = plan.aggregates.map(one);
      return changes.any ? build.aggregate(groupBy, aggregates, plan.input) : plan;
    }
    case 'window': {
      const windows = plan.windows.map(one);
      return changes.any ? build.window(windows, plan.input) : plan;
    }
    case 'sort': {
      const sorts = keys(plan.keys);
      return changes.any ? build.sort(sorts, plan.input, plan.fetch) : plan;
    }
    case 'join': {
      const on = plan.on.map(([left, right]): readonly [Expr, Expr] => [one(left), one(right)]);
      const filter = plan.filter === null ? null : one(plan.filter);
      return changes.any ? build.join(plan.left, plan.right, plan.joinType, { ...plan, on, filter }) : plan;
    }
    case 'table_scan': {
      const filters = plan.filters.map(one);
      return changes.any ? { ...plan, filters } : plan;
    }
    case 'distinct_on': {
      const on = plan.on.map(one);
      const select = plan.select.map(one);
      const sorts = keys(plan.sort);
      return changes.any ? build.distinctOn(on, select, sorts, plan.input) : plan;
    }
    case 'values': {
      const rows = plan.rows.map((row) => row.map(one));
      return changes.any ? build.values(rows) : plan;
    }
    case 'subquery_alias':
    case 'subquery':
    case 'limit':
    case 'union':
    case 'distinct':
    case 'empty_relation':
      return plan;
  }
}

/** The node with `map` applied to the plan of each subquery in its expressions. */
export function mapSubqueries(plan: LogicalPlan, map: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  return mapPlanExprs(plan, (expr) => mapSubqueriesOf(expr, map));
}

export function mapSubqueriesOf(expr: Expr, map: (plan: LogicalPlan) => LogicalPlan): Expr {
  const inside = mapExprChildren(expr, (child) => mapSubqueriesOf(child, map));
  if (!('subquery' in inside)) return inside;
  const old = logicalSubquery(inside.subquery);
  const plan = map(old.plan);
  return plan === old.plan ? inside : { ...inside, subquery: old.withPlan(plan) };
}

/** Inputs first (after the subqueries of the node's expressions, each a plan of its own), then the node. */
export function transformPlanUp(plan: LogicalPlan, rewrite: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  const self = (inner: LogicalPlan): LogicalPlan => transformPlanUp(inner, rewrite);
  const subqueried = mapSubqueries(plan, self);
  return rewrite(withInputs(subqueried, planInputs(subqueried).map(self)));
}

/** The node first; then the subqueries of what came out of it, then its inputs. */
export function transformPlanDown(plan: LogicalPlan, rewrite: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  const self = (inner: LogicalPlan): LogicalPlan => transformPlanDown(inner, rewrite);
  const subqueried = mapSubqueries(rewrite(plan), self);
  return withInputs(subqueried, planInputs(subqueried).map(self));
}
