import { alias, type ColumnExpr, type Expr } from '../../expr/expr.js';
import { someExpr, transformExprUp, visitExpr } from '../../expr/expr-transform.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { subqueryOf, unalias, unaliasNested } from '../../expr/expr-utils.js';
import { aggregate, emptyRelation, projection, tableScan, window } from '../builder.js';
import { DFSchema } from '../df-schema.js';
import { uniqueKeys } from '../functional-dependence.js';
import { groupingSetOf } from '../grouping-sets.js';
import { restoreName } from '../name-preserver.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { AggregateNode, JoinNode, LogicalPlan, ProjectionNode, WindowNode } from '../plan.js';
import { RequiredColumns } from '../required-columns.js';
import { mapSubqueriesOf, mapPlanExprs, withInputs } from '../transform.js';
import { planExprs, planInputs } from '../traverse.js';

/** From the root down, each node keeps and reads only what the nodes above it need. */
export const optimizeProjections: OptimizerRule = {
  name: 'optimize_projections',
  order: 'own',
  apply: (plan) => optimize(plan, RequiredColumns.all(plan.schema)),
};

function optimize(node: LogicalPlan, required: RequiredColumns): LogicalPlan {
  const plan = optimizeSubqueries(node);
  switch (plan.kind) {
    case 'projection':
      return optimizeProjection(mergeChain(plan), required);
    case 'aggregate':
      return optimizeAggregate(plan, required);
    case 'window':
      return optimizeWindow(plan, required);
    case 'table_scan': {
      const { projection: columns } = plan;
      const indices = columns === null ? required.indices : required.pick(columns);
      if (columns !== null && indices.length === columns.length) return plan;
      return tableScan(plan.tableName, plan.source, { ...plan, projection: indices });
    }
    case 'empty_relation':
      if (required.indices.length === plan.schema.length) return plan;
      return emptyRelation(plan.producesOneRow, new DFSchema(required.pick(plan.schema.fields)));
    case 'values':
      return plan;
    case 'subquery':
    case 'distinct':
      // Fewer columns would make other rows distinct.
      return withInputs(
        plan,
        planInputs(plan).map((input) => optimize(input, RequiredColumns.all(input.schema))),
      );
    case 'join':
      return optimizeJoin(plan, required);
    case 'limit':
      return withInputs(plan, [optimize(plan.input, required)]);
    case 'filter':
    case 'sort':
    case 'subquery_alias':
      return withInputs(plan, [narrowed(plan.input, required.withExprs(plan.input.schema, planExprs(plan)))]);
    case 'distinct_on':
      return withInputs(plan, [
        narrowed(plan.input, RequiredColumns.none.withExprs(plan.input.schema, planExprs(plan))),
      ]);
    case 'union':
      return withInputs(
        plan,
        plan.inputs.map((input) => narrowed(input, required)),
      );
  }
}

/** Plans inside expressions are trees of their own, unless they read columns of this one. */
function optimizeSubqueries(plan: LogicalPlan): LogicalPlan {
  return mapPlanExprs(plan, (expr) => {
    if (someExpr(expr, (e) => (subqueryOf(e)?.outerColumns.length ?? 0) > 0)) return expr;
    return mapSubqueriesOf(expr, (inner) => optimize(inner, RequiredColumns.all(inner.schema)));
  });
}

/** The input reduced to the columns, by a projection where it cannot do it itself. */
function narrowed(input: LogicalPlan, required: RequiredColumns): LogicalPlan {
  const columns = required.columns(input.schema);
  const optimized = optimize(input, required);
  return columns.length < optimized.schema.length ? projection(columns, optimized) : optimized;
}

function optimizeProjection(plan: ProjectionNode, required: RequiredColumns): LogicalPlan {
  const exprs = required.pick(plan.exprs);
  const input = optimize(plan.input, RequiredColumns.none.withExprs(plan.input.schema, exprs));
  if (isIdentity(exprs, input.schema)) return input;
  return input === plan.input && exprs.length === plan.exprs.length ? plan : projection(exprs, input);
}

/** All columns of the input, in its order and under its names. */
function isIdentity(exprs: readonly Expr[], schema: DFSchema): boolean {
  return (
    exprs.length === schema.length &&
    exprs.every((expr, index) => {
      const { relation, field } = schema.at(index);
      return expr.kind === 'column' && expr.relation === relation && expr.name === field.name;
    })
  );
}

/** All projections directly below one another that can be one. */
function mergeChain(plan: ProjectionNode): ProjectionNode {
  const merged = mergeConsecutive(plan);
  return merged === plan ? plan : mergeChain(merged);
}

/** Two projections as one, unless something that costs would then be computed more than once. */
function mergeConsecutive(plan: ProjectionNode): ProjectionNode {
  const { input } = plan;
  if (input.kind !== 'projection') return plan;
  if (plan.exprs.length === input.exprs.length && plan.exprs.every((e, i) => sameExpr(e, input.exprs[i]))) {
    return projection(plan.exprs, input.input);
  }
  const uses = countUses(plan.exprs, input.schema);
  // Constants read nothing of the lower projection; DataFusion leaves it there, without columns.
  if (uses.size === 0) return plan;
  for (const [index, count] of uses) {
    const expr = input.exprs[index];
    if (count > 1 && expr !== undefined && !isTrivial(expr)) return plan;
  }
  const inline = (expr: Expr): Expr =>
    transformExprUp(expr, (e) => {
      if (e.kind === 'alias') return e.expr;
      if (e.kind !== 'column') return e;
      const found = input.exprs[input.schema.indexOf(e)];
      return found === undefined ? e : unaliasNested(found);
    });
  const exprs = plan.exprs.map((expr) => {
    if (expr.kind === 'alias') return alias(inline(expr.expr), expr.name, expr.relation);
    return restoreName(expr, inline(expr));
  });
  return projection(exprs, input.input);
}

function sameExpr(a: Expr, b: Expr | undefined): boolean {
  return b !== undefined && exprsEqual(a, b);
}

function isTrivial(expr: Expr): boolean {
  const inner = unalias(expr);
  return inner.kind === 'column' || inner.kind === 'literal';
}

function countUses(exprs: readonly Expr[], schema: DFSchema): Map<number, number> {
  const uses = new Map<number, number>();
  const count = (column: ColumnExpr): void => {
    const index = schema.indexOf(column);
    uses.set(index, (uses.get(index) ?? 0) + 1);
  };
  for (const expr of exprs) {
    visitExpr(expr, (e) => {
      if (e.kind === 'column') count(e);
      return undefined;
    });
  }
  return uses;
}

function optimizeAggregate(plan: AggregateNode, required: RequiredColumns): LogicalPlan {
  const groupOutputs = plan.schema.length - plan.aggregates.length;
  const [groupRequired, aggregateRequired] = required.split(groupOutputs);
  const groupBy = necessaryKeys(plan, groupRequired);
  const aggregates = aggregateRequired.pick(plan.aggregates);
  if (groupBy.length === 0 && aggregates.length === 0) return emptyRelation(true);
  const needed = RequiredColumns.none.withExprs(plan.input.schema, [...groupBy, ...aggregates]);
  const input = narrowed(plan.input, needed);
  if (input === plan.input && groupBy.length === plan.groupBy.length && aggregates.length === plan.aggregates.length) {
    return plan;
  }
  return aggregate(groupBy, aggregates, input);
}

/** Keys that others determine go, unless the parent wants to see them. */
function necessaryKeys(plan: AggregateNode, required: RequiredColumns): readonly Expr[] {
  if (groupingSetOf(plan.groupBy) !== undefined) return plan.groupBy;
  const { schema } = plan.input;
  const positions = plan.groupBy.map((key) => (key.kind === 'column' ? schema.indexOf(key) : -1));
  const determining = uniqueKeys(plan.input).find(
    (key) => key.length < plan.groupBy.length && key.every((index) => positions.includes(index)),
  );
  if (determining === undefined) return plan.groupBy;
  const kept = positions.flatMap((position, index) => (determining.includes(position) || position < 0 ? [index] : []));
  const keys = RequiredColumns.of(kept).union(required).pick(plan.groupBy);
  return keys.length === plan.groupBy.length ? plan.groupBy : keys;
}

function optimizeWindow(plan: WindowNode, required: RequiredColumns): LogicalPlan {
  const [inputRequired, windowRequired] = required.split(plan.input.schema.length);
  const windows = windowRequired.pick(plan.windows);
  const needed = inputRequired.withExprs(plan.input.schema, windows);
  if (windows.length === 0) return optimize(plan.input, needed);
  const input = narrowed(plan.input, needed);
  return input === plan.input && windows.length === plan.windows.length ? plan : window(windows, input);
}

function optimizeJoin(plan: JoinNode, required: RequiredColumns): LogicalPlan {
  const [left, right] = splitRequired(plan, required);
  const exprs = planExprs(plan);
  return withInputs(plan, [
    narrowed(plan.left, left.withExprs(plan.left.schema, exprs)),
    narrowed(plan.right, right.withExprs(plan.right.schema, exprs)),
  ]);
}

function splitRequired(plan: JoinNode, required: RequiredColumns): readonly [RequiredColumns, RequiredColumns] {
  switch (plan.joinType) {
    case 'Inner':
    case 'Left':
    case 'Right':
    case 'Full':
    case 'LeftMark':
      // The mark stands where the first column of the other side would: asking for it keeps that side from having no columns.
      return required.split(plan.left.schema.length);
    case 'RightMark': {
      const [right, left] = required.split(plan.right.schema.length);
      return [left, right];
    }
    case 'LeftSemi':
    case 'LeftAnti':
      return [required, RequiredColumns.none];
    case 'RightSemi':
    case 'RightAnti':
      return [RequiredColumns.none, required];
  }
}
