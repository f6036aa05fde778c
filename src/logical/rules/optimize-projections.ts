import type { Expr } from '../../expr/expr.js';
import { columnKey, transformExprUp, visitExpr } from '../../expr/expr-transform.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { unaliasNested } from '../../expr/expr-utils.js';
import { aggregate, projection, tableScan, window } from '../builder.js';
import { restoreName } from '../name-preserver.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { AggregateNode, JoinNode, LogicalPlan, ProjectionNode, TableScanNode, WindowNode } from '../plan.js';
import { RequiredColumns } from '../required-columns.js';
import { withInputs } from '../transform.js';
import { planExprs, planInputs } from '../traverse.js';

/**
 * Works out, from the root down, which columns each node needs; narrows scans, drops unused expressions, merges consecutive
 * projections, removes those that change nothing and adds projections where a join, an aggregate or a filter would otherwise carry
 * columns that nobody reads.
 * Source: datafusion/optimizer/src/optimize_projections.
 */
export const optimizeProjections: OptimizerRule = {
  name: 'optimize_projections',
  order: 'own',
  apply(plan) {
    return narrow(plan, RequiredColumns.all(plan.schema));
  },
};

function narrow(plan: LogicalPlan, required: RequiredColumns): LogicalPlan {
  switch (plan.kind) {
    case 'projection':
      return narrowProjection(mergeProjections(plan), required);
    case 'aggregate':
      return narrowAggregate(plan, required);
    case 'window':
      return narrowWindow(plan, required);
    case 'table_scan':
      return narrowScan(plan, required);
    case 'join':
      return narrowJoin(plan, required);
    case 'sort':
    case 'filter':
    case 'union':
    case 'subquery_alias':
    case 'distinct_on':
      return narrowInputs(plan, (input) => required.asNarrowing().withExprs(planExprs(plan), input.schema));
    case 'limit':
      return narrowInputs(plan, () => new RequiredColumns(required.indices));
    case 'distinct':
    case 'subquery':
      // Their meaning depends on every column.
      return narrowInputs(plan, (input) => RequiredColumns.all(input.schema));
    case 'empty_relation':
    case 'values':
      return plan;
  }
}

function narrowInputs(plan: LogicalPlan, requiredOf: (input: LogicalPlan) => RequiredColumns): LogicalPlan {
  return withInputs(
    plan,
    planInputs(plan).map((input) => narrowInput(input, requiredOf(input))),
  );
}

function narrowInput(input: LogicalPlan, required: RequiredColumns): LogicalPlan {
  const narrowed = narrow(input, required);
  return required.narrowing ? projectIfNarrower(narrowed, required.columns(input.schema)) : narrowed;
}

/** A projection on top, if it drops columns. */
function projectIfNarrower(plan: LogicalPlan, exprs: readonly Expr[]): LogicalPlan {
  return exprs.length >= plan.schema.length ? plan : projection(exprs, plan);
}

function narrowProjection(plan: LogicalPlan, required: RequiredColumns): LogicalPlan {
  if (plan.kind !== 'projection') return narrow(plan, required);
  const used = required.pick(plan.exprs);
  const input = narrow(plan.input, RequiredColumns.none.withExprs(used, plan.input.schema));
  if (isIdentity(used, input)) return input;
  const unchanged = input === plan.input && used.length === plan.exprs.length;
  return unchanged ? plan : projection(used, input);
}

/** Every output is the input's column of the same place, qualifier and name, and none is dropped. */
function isIdentity(exprs: readonly Expr[], input: LogicalPlan): boolean {
  return (
    exprs.length === input.schema.length &&
    exprs.every((expr, index) => {
      const { relation, field } = input.schema.at(index);
      return expr.kind === 'column' && expr.relation === relation && expr.name === field.name;
    })
  );
}

/** The projection and the one below it as one, unless that would compute something twice. */
function mergeProjections(plan: ProjectionNode): LogicalPlan {
  const below = plan.input;
  if (below.kind !== 'projection') return plan;
  if (
    below.exprs.length === plan.exprs.length &&
    below.exprs.every((expr, index) => exprsEqual(expr, plan.exprs[index]!))
  ) {
    return below;
  }
  const uses = new Map<string, { index: number; count: number }>();
  for (const expr of plan.exprs) {
    visitExpr(expr, (inner) => {
      if (inner.kind === 'column') {
        const entry = uses.get(columnKey(inner)) ?? { index: below.schema.require(inner), count: 0 };
        entry.count++;
        uses.set(columnKey(inner), entry);
      }
      return true;
    });
  }
  for (const { index, count } of uses.values()) {
    if (count > 1 && !isTrivial(below.exprs[index]!)) return plan;
  }
  const merged = plan.exprs.map((expr) => {
    const substituted = transformExprUp(expr, (inner) => {
      if (inner.kind === 'alias') return inner.expr;
      return inner.kind === 'column' ? unaliasNested(below.exprs[below.schema.require(inner)]!) : inner;
    });
    return restoreName(expr, substituted);
  });
  return projection(merged, below.input);
}

function isTrivial(expr: Expr): boolean {
  return expr.kind === 'column' || expr.kind === 'literal';
}

function narrowAggregate(plan: AggregateNode, required: RequiredColumns): LogicalPlan {
  const groupColumns = plan.schema.length - plan.aggregates.length;
  const [, wanted] = required.split(groupColumns);
  let aggregates = wanted.pick(plan.aggregates);
  // An aggregate without keys must keep one expression: its one row is what counts.
  if (plan.groupBy.length === 0 && aggregates.length === 0) aggregates = plan.aggregates.slice(0, 1);
  const needed = RequiredColumns.none.withExprs([...plan.groupBy, ...aggregates], plan.input.schema);
  const input = projectIfNarrower(narrow(plan.input, needed), needed.columns(plan.input.schema));
  const unchanged = input === plan.input && aggregates.length === plan.aggregates.length;
  return unchanged ? plan : aggregate(plan.groupBy, aggregates, input);
}

function narrowWindow(plan: WindowNode, required: RequiredColumns): LogicalPlan {
  const [fromInput, wanted] = required.split(plan.input.schema.length);
  const windows = wanted.pick(plan.windows);
  const needed = new RequiredColumns(fromInput.indices).withExprs(windows, plan.input.schema);
  const input = narrow(plan.input, needed);
  if (windows.length === 0) return input;
  const narrowed = projectIfNarrower(input, needed.columns(plan.input.schema));
  const unchanged = narrowed === plan.input && windows.length === plan.windows.length;
  return unchanged ? plan : window(windows, narrowed);
}

function narrowScan(plan: TableScanNode, required: RequiredColumns): LogicalPlan {
  const current = plan.projection;
  const indices = current === null ? required.indices : required.indices.map((index) => current[index]!);
  if (current !== null && indices.length === current.length) return plan;
  return tableScan(plan.tableName, plan.source, { projection: indices, filters: plan.filters, fetch: plan.fetch });
}

function narrowJoin(plan: JoinNode, required: RequiredColumns): LogicalPlan {
  const [left, right] = joinSides(plan, required);
  const exprs = planExprs(plan);
  const inputs = [
    narrowInput(plan.left, left.withExprs(exprs, plan.left.schema).asNarrowing()),
    narrowInput(plan.right, right.withExprs(exprs, plan.right.schema).asNarrowing()),
  ];
  return withInputs(plan, inputs);
}

/** What is required of each side, besides what keys and filter read. */
function joinSides(plan: JoinNode, required: RequiredColumns): [RequiredColumns, RequiredColumns] {
  switch (plan.joinType) {
    case 'Inner':
    case 'Left':
    case 'Right':
    case 'Full':
      return required.split(plan.left.schema.length);
    case 'LeftSemi':
    case 'LeftAnti':
      return [required, RequiredColumns.none];
    case 'RightSemi':
    case 'RightAnti':
      return [RequiredColumns.none, required];
    case 'LeftMark':
      // The mark, one past the side's columns, comes from the join itself.
      return [required.split(plan.left.schema.length)[0], RequiredColumns.none];
    case 'RightMark':
      return [RequiredColumns.none, required.split(plan.right.schema.length)[0]];
  }
}
