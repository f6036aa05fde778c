import { type AggregateFunctionExpr, column, type ColumnExpr, type Expr } from '../../expr/expr.js';
import { displayColumn, schemaName } from '../../expr/expr-display.js';
import { distinctExprs, exprKey, exprsEqual } from '../../expr/expr-equality.js';
import { columnKey, columnsOf, visitExpr } from '../../expr/expr-transform.js';
import { aggregate } from '../../logical/builder.js';
import { hasWindow } from '../../expr/expr-utils.js';
import { determinedColumns } from '../../logical/functional-dependence.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { Place } from '../parser/ast.js';
import { at, planError } from './binding.js';
import { asOutputColumn, normalizeColumns, normalizeFor, usingColumns } from './columns.js';
import { type Clauses, rebase, type Stage } from './select-stage.js';

/** Aggregate calls in the expressions, outermost only, each once, in order of appearance. */
export function findAggregates(exprs: readonly Expr[]): AggregateFunctionExpr[] {
  const found = new Map<string, AggregateFunctionExpr>();
  for (const expr of exprs) {
    visitExpr(expr, (e) => {
      if (e.kind !== 'aggregate_function') return undefined;
      if (!found.has(exprKey(e))) found.set(exprKey(e), e);
      return false;
    });
  }
  return [...found.values()];
}

function refuseNested(aggregates: readonly AggregateFunctionExpr[], place: Place): void {
  for (const { func, args, filter, orderBy } of aggregates) {
    const inside = [...args, ...(filter === null ? [] : [filter]), ...orderBy.map((key) => key.expr)];
    const [inner] = findAggregates(inside);
    if (inner !== undefined) {
      const message = `${func.name} cannot take another aggregate (${inner.func.name}) as its argument`;
      throw planError(message, place, 'aggregate in a subquery first');
    }
    if (inside.some(hasWindow)) {
      throw planError(
        `${func.name} cannot take a window function as its argument`,
        place,
        'compute it in a subquery first',
      );
    }
  }
}

/**
 * The Aggregate node of a SELECT, and its clauses over the node's output. Without GROUP BY and aggregates the input stays as it is.
 * Columns that are neither grouped nor inside an aggregate are `plan` errors.
 */
export function bindAggregate(input: LogicalPlan, clauses: Clauses, select: readonly Expr[], place: Place): Stage {
  const { groupBy, having, qualify, orderBy, on } = clauses;
  const sorts = orderBy.map((key) => key.expr);
  const aggregates = distinctAggregates(
    findAggregates([...select, ...present(having), ...present(qualify)]),
    findAggregates([...sorts, ...on]),
  );
  if (groupBy.length === 0 && aggregates.length === 0) {
    if (having !== null) throw planError('HAVING needs GROUP BY or an aggregate', place, 'filter rows with WHERE');
    return { plan: input, select, having, qualify, orderBy, on, isAggregate: false };
  }
  refuseNested(aggregates, place);
  const plan = at(place, () => {
    const keys = withDetermined(
      groupBy.map((expr) => normalizeFor(expr, input)),
      input,
    );
    return aggregate(
      keys,
      aggregates.map((expr) => normalizeFor(expr, input)),
      input,
    );
  });

  const outputs = [...plan.groupBy.flatMap(members), ...aggregates].map((expr) =>
    normalizeColumns(expr, [[input.schema]], usingColumns(input)),
  );
  const columns = outputs.map((expr) => asOutputColumn(expr, input, schemaName(expr)));
  const over = (expr: Expr): Expr => rebase(expr, outputs, input);
  const newSelect = select.map(over);
  checkGrouped(newSelect, columns, 'the select list');
  const newHaving = having === null ? null : over(having);
  checkGrouped(present(newHaving), columns, 'HAVING');
  const newQualify = qualify === null ? null : over(qualify);
  checkGrouped(present(newQualify), columns, 'QUALIFY');

  // Behind the grouping, ORDER BY and DISTINCT ON see the output columns of the select list too.
  const outputNames = newSelect.flatMap((expr) => (expr.kind === 'column' ? [] : [column(nameOf(expr))]));
  const newOrderBy = orderBy.map((key) => ({ ...key, expr: selectedAlias(over(key.expr), newSelect) }));
  checkGrouped(
    newOrderBy.map((key) => key.expr),
    [...columns, ...outputNames],
    'ORDER BY',
  );
  const newOn = on.map(over);
  checkGrouped(newOn, [...columns, ...outputNames], 'DISTINCT ON');
  return {
    plan,
    select: newSelect,
    having: newHaving,
    qualify: newQualify,
    orderBy: newOrderBy,
    on: newOn,
    isAggregate: true,
  };
}

function nameOf(expr: Expr): string {
  return expr.kind === 'alias' ? expr.name : schemaName(expr);
}

function present(expr: Expr | null): Expr[] {
  return expr === null ? [] : [expr];
}

function distinctAggregates(
  first: readonly AggregateFunctionExpr[],
  more: readonly AggregateFunctionExpr[],
): AggregateFunctionExpr[] {
  return [...new Map([...first, ...more].map((expr) => [exprKey(expr), expr])).values()];
}

/** Columns that the keys determine (the keys of an inner GROUP BY determine all its columns) count as grouped too. */
function withDetermined(keys: readonly Expr[], input: LogicalPlan): readonly Expr[] {
  const names = keys.map(schemaName);
  const determined = determinedColumns(input, names) ?? [];
  const added = determined
    .map((index) => input.schema.columnAt(index))
    .filter((expr) => !names.includes(schemaName(expr)));
  return added.length === 0 ? keys : [...keys, ...distinctExprs(added)];
}

function members(expr: Expr): readonly Expr[] {
  return expr.kind === 'grouping_set' ? expr.sets.flat() : [expr];
}

/** A sort key that repeats an aliased expression of the select list is that alias. */
function selectedAlias(key: Expr, select: readonly Expr[]): Expr {
  const wanted = key.kind === 'alias' ? key.expr : key;
  const found = select.find((expr) => expr.kind === 'alias' && exprsEqual(expr.expr, wanted));
  return found?.kind === 'alias' ? column(found.name) : key;
}

function checkGrouped(exprs: readonly Expr[], allowed: readonly ColumnExpr[], clause: string): void {
  const keys = new Set(allowed.map(columnKey));
  for (const used of columnsOf(...exprs)) {
    if (keys.has(columnKey(used))) continue;
    throw planError(
      `column "${displayColumn(used)}" in ${clause} must appear in GROUP BY or inside an aggregate`,
      used.span,
      `add it to GROUP BY, or take one of its values with min or max`,
    );
  }
}
