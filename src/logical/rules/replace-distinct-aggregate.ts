import { DistqError } from '../../base/errors.js';
import { type AggregateFunctionExpr, alias, type Expr } from '../../expr/expr.js';
import { aggregate, projection, sort } from '../builder.js';
import { uniqueKeys } from '../functional-dependence.js';
import type { OptimizerContext, OptimizerRule } from '../optimizer-rule.js';
import type { DistinctOnNode, LogicalPlan } from '../plan.js';
import { mapSubqueries, transformPlanDown, withInputs } from '../transform.js';
import { planInputs } from '../traverse.js';

/**
 * DISTINCT is grouping by all columns; DISTINCT ON takes the first value of each column per group. A DISTINCT over what a grouping
 * below has made distinct goes; DataFusion notices that in the query itself and not in subqueries of its expressions, where it comes
 * to the outer one first.
 */
export const replaceDistinctAggregate: OptimizerRule = {
  name: 'replace_distinct_aggregate',
  order: 'own',
  apply: rewriteInner,
};

function rewriteInner(plan: LogicalPlan, context: OptimizerContext): LogicalPlan {
  const inputs = withInputs(
    plan,
    planInputs(plan).map((input) => rewriteInner(input, context)),
  );
  const subqueried = mapSubqueries(inputs, (inner) => transformPlanDown(inner, (node) => replace(node, context)));
  return replace(subqueried, context);
}

function replace(plan: LogicalPlan, context: OptimizerContext): LogicalPlan {
  if (plan.kind === 'distinct') {
    const { input } = plan;
    const columns = input.schema.columns();
    // Rows that differ already: exactly the columns of a grouping below.
    const unique = uniqueKeys(input).some(
      (key) => key.length === columns.length && key.every((position, index) => position === index),
    );
    return unique ? input : aggregate(columns, [], input);
  }
  return plan.kind === 'distinct_on' ? firstValues(plan, context) : plan;
}

function firstValues(node: DistinctOnNode, { functions }: OptimizerContext): LogicalPlan {
  const func = functions?.aggregate('first_value');
  if (func === undefined) throw new DistqError('not_implemented', 'DISTINCT ON is not supported');
  const aggregates = node.select.map(
    (expr): AggregateFunctionExpr => ({
      kind: 'aggregate_function',
      func,
      args: [expr],
      distinct: false,
      filter: null,
      orderBy: node.sort,
      ignoreNulls: null,
    }),
  );
  const groups = aggregate(node.on, aggregates, node.input);
  const keys = node.sort.slice(0, node.on.length);
  const ordered = keys.length === 0 ? groups : sort(keys, groups);
  const outputs = node.schema.fields.map(
    (f, index): Expr => alias(groups.schema.columnAt(node.on.length + index), f.field.name, f.relation),
  );
  return projection(outputs, ordered);
}
