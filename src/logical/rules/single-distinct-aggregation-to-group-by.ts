import { alias, type AggregateFunctionExpr, column, type Expr } from '../../expr/expr.js';
import { exprKey } from '../../expr/expr-equality.js';
import { aggregate, projection } from '../builder.js';
import { groupingSetOf } from '../grouping-sets.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { AggregateNode, LogicalPlan } from '../plan.js';

const DISTINCT_ALIAS = 'alias1';
/** Aggregates of partial aggregates, besides the distinct one. */
const SELF_COMBINING: ReadonlySet<string> = new Set(['sum', 'min', 'max']);

/**
 * `f(DISTINCT x)` over one `x`: an inner aggregate makes the values of `x` distinct per group, an outer one runs `f` over them.
 */
export const singleDistinctAggregationToGroupBy: OptimizerRule = {
  name: 'single_distinct_aggregation_to_group_by',
  order: 'top_down',
  apply(plan) {
    if (plan.kind !== 'aggregate' || groupingSetOf(plan.groupBy) !== undefined) return plan;
    const calls = plan.aggregates.filter((expr) => expr.kind === 'aggregate_function');
    const distinct = distinctArgument(calls);
    return distinct === undefined || calls.length !== plan.aggregates.length ? plan : split(plan, calls, distinct);
  },
};

/** The one argument of all DISTINCT calls, when every other call can be done in two steps. */
function distinctArgument(calls: readonly AggregateFunctionExpr[]): Expr | undefined {
  const args = new Map<string, Expr>();
  for (const call of calls) {
    if (call.filter !== null || call.orderBy.length > 0) return undefined;
    if (call.distinct) for (const arg of call.args) args.set(exprKey(arg), arg);
    else if (!SELF_COMBINING.has(call.func.name)) return undefined;
    if (call.distinct && call.args.length !== 1) return undefined;
  }
  const [only] = args.values();
  return args.size === 1 ? only : undefined;
}

function split(node: AggregateNode, calls: readonly AggregateFunctionExpr[], distinct: Expr): LogicalPlan {
  const innerKeys: Expr[] = [];
  const outerKeys: Expr[] = [];
  for (const [index, key] of node.groupBy.entries()) {
    if (key.kind === 'column') {
      innerKeys.push(key);
      outerKeys.push(key);
    } else {
      const name = `group_alias_${index}`;
      innerKeys.push(alias(key.kind === 'alias' ? key.expr : key, name));
      outerKeys.push(column(name));
    }
  }
  innerKeys.push(alias(distinct, DISTINCT_ALIAS));
  const partial: Expr[] = [];
  const outer = calls.map((call): Expr => {
    if (call.distinct) return { ...call, args: [column(DISTINCT_ALIAS)], distinct: false };
    const name = `alias${partial.length + 2}`;
    partial.push(alias(call, name));
    return { ...call, args: [column(name)] };
  });
  const result = aggregate(outerKeys, outer, aggregate(innerKeys, partial, node.input));
  // The names of the one aggregate there was.
  const outputs = node.schema.fields.map((f, index): Expr => {
    const made = result.schema.columnAt(index);
    const same = made.relation === f.relation && made.name === f.field.name;
    return same ? made : alias(made, f.field.name, f.relation);
  });
  return projection(outputs, result);
}
