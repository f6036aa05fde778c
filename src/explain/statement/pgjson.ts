import { unreachable } from '../../base/errors.js';
import { displayExpr, displaySort } from '../../expr/expr-display.js';
import type { Expr, SortExpr } from '../../expr/expr.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { planInputs } from '../../logical/traverse.js';

type Json = string | number | readonly Json[] | { readonly [key: string]: Json };

/** What `EXPLAIN FORMAT pgjson` prints: the logical plan as PostgreSQL's JSON has it, keys in DataFusion's order. */
export function renderPgjson(plan: LogicalPlan): string {
  return JSON.stringify([{ Plan: nodeJson(plan) }], null, 2);
}

function nodeJson(plan: LogicalPlan): Json {
  return {
    ...facts(plan),
    Plans: planInputs(plan).map(nodeJson),
    Output: plan.schema.fields.map(({ field }) => field.name),
  };
}

function facts(plan: LogicalPlan): { readonly [key: string]: Json } {
  switch (plan.kind) {
    case 'projection':
      return { 'Node Type': 'Projection', Expressions: plan.exprs.map(displayExpr) };
    case 'filter':
      return { 'Node Type': 'Filter', Condition: displayExpr(plan.predicate) };
    case 'aggregate':
      return { 'Node Type': 'Aggregate', 'Group By': list(plan.groupBy), Aggregates: list(plan.aggregates) };
    case 'window':
      return { 'Node Type': 'WindowAggr', Expressions: list(plan.windows) };
    case 'sort':
      return {
        'Node Type': 'Sort',
        'Sort Key': keys(plan.keys),
        ...(plan.fetch === null ? {} : { Fetch: plan.fetch }),
      };
    case 'join':
      return {
        'Node Type': `${plan.joinType} Join`,
        'Join Constraint': plan.constraint === 'USING' ? 'Using' : 'On',
        'Join Keys': plan.on.map(([left, right]) => `${displayExpr(left)} = ${displayExpr(right)}`).join(', '),
        Filter: plan.filter === null ? '' : ` Filter: ${displayExpr(plan.filter)}`,
      };
    case 'table_scan':
      return {
        'Node Type': 'TableScan',
        'Relation Name': plan.tableName,
        ...(plan.filters.length === 0 ? {} : { 'Partial Filters': list(plan.filters) }),
        ...(plan.fetch === null ? {} : { Fetch: plan.fetch }),
      };
    case 'subquery_alias':
      return { 'Node Type': 'Subquery', Alias: plan.alias };
    case 'subquery':
      return { 'Node Type': 'Subquery' };
    case 'limit':
      return {
        'Node Type': 'Limit',
        Skip: `Int64(${plan.skip})`,
        ...(plan.fetch === null ? {} : { Fetch: `Int64(${plan.fetch})` }),
      };
    case 'union':
      return { 'Node Type': 'Union' };
    case 'distinct':
      return { 'Node Type': 'DistinctAll' };
    case 'distinct_on':
      return { 'Node Type': 'DistinctOn', On: list(plan.on), Select: list(plan.select), Sort: keys(plan.sort) };
    case 'values':
      return { 'Node Type': 'Values', Values: plan.rows.map((row) => `(${list(row)})`).join(', ') };
    case 'empty_relation':
      return { 'Node Type': 'EmptyRelation' };
  }
  return unreachable(plan, 'logical node');
}

function list(exprs: readonly Expr[]): string {
  return exprs.map(displayExpr).join(', ');
}

function keys(sorts: readonly SortExpr[]): string {
  return sorts.map(displaySort).join(', ');
}
