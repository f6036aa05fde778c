import type { Expr } from '../../expr/expr.js';
import { columnKey, someExpr } from '../../expr/expr-transform.js';
import { unalias } from '../../expr/expr-utils.js';
import { aggregate, projection } from '../builder.js';
import { groupingSetOf } from '../grouping-sets.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { AggregateNode, LogicalPlan } from '../plan.js';

/** Group keys that constants and other keys determine are computed above the aggregate instead. */
export const eliminateGroupByConstant: OptimizerRule = {
  name: 'eliminate_group_by_constant',
  order: 'top_down',
  apply: (plan) => (plan.kind === 'aggregate' && groupingSetOf(plan.groupBy) === undefined ? rewrite(plan) : plan),
};

function rewrite(node: AggregateNode): LogicalPlan {
  const columns = new Set(node.groupBy.flatMap((key) => (key.kind === 'column' ? [columnKey(key)] : [])));
  const redundant = node.groupBy.map((key) => key.kind !== 'column' && isDetermined(unalias(key), columns));
  const required = node.groupBy.filter((_, index) => redundant[index] === false);
  // Without any key there would be a row even over no rows.
  if (required.length === node.groupBy.length || required.length === 0) return node;
  const reduced = aggregate(required, node.aggregates, node.input);
  const outputs = node.groupBy.map(
    (key, index): Expr => (redundant[index] === true ? key : node.schema.columnAt(index)),
  );
  for (let index = node.groupBy.length; index < node.schema.length; index++) outputs.push(node.schema.columnAt(index));
  return projection(outputs, reduced);
}

/** Made of constants and the given columns by arithmetic, casts and functions that always give the same. */
function isDetermined(expr: Expr, columns: ReadonlySet<string>): boolean {
  return !someExpr(expr, (e) => {
    switch (e.kind) {
      case 'literal':
      case 'alias':
      case 'cast':
      case 'negative':
      case 'not':
      case 'binary':
        return false;
      case 'column':
        return !columns.has(columnKey(e));
      case 'scalar_function':
        return e.func.volatility !== 'immutable';
      case 'is':
      case 'between':
      case 'like':
      case 'case':
      case 'in_list':
      case 'aggregate_function':
      case 'window_function':
      case 'outer_reference':
      case 'scalar_subquery':
      case 'exists':
      case 'in_subquery':
      case 'set_comparison':
      case 'grouping_set':
        return true;
    }
  });
}
