import { alias, column, type Expr } from '../../expr/expr.js';
import { conjunction, isLiteralBoolean } from '../../expr/expr-utils.js';
import { join, projection, subqueryAlias } from '../builder.js';
import { emptyInputReplacements } from '../decorrelate/empty-input-replacements.js';
import { pullUpCorrelated } from '../decorrelate/pull-up-correlated.js';
import { underAlias } from '../decorrelate/subquery-join.js';
import type { OptimizerContext, OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, LogicalPlan, SubqueryNode } from '../plan.js';

/** A LATERAL subquery becomes an ordinary side of its join. */
export const decorrelateLateralJoin: OptimizerRule = {
  name: 'decorrelate_lateral_join',
  order: 'top_down',
  apply(plan, context) {
    if (plan.kind !== 'join' || (plan.joinType !== 'Inner' && plan.joinType !== 'Left')) return plan;
    const { right } = plan;
    if (right.kind === 'subquery') return rewrite(plan, right, null, context);
    if (right.kind === 'subquery_alias' && right.input.kind === 'subquery') {
      return rewrite(plan, right.input, right.alias, context);
    }
    return plan;
  },
};

function rewrite(node: JoinNode, lateral: SubqueryNode, name: string | null, context: OptimizerContext): LogicalPlan {
  const named = (plan: LogicalPlan): LogicalPlan => (name === null ? plan : subqueryAlias(name, plan));
  if (lateral.outerColumns.length === 0) return join(node.left, named(lateral.input), node.joinType, node);
  const pulled = pullUpCorrelated(lateral.input, context, { scalar: true });
  if (pulled === undefined) return node;
  const right = named(pulled.plan);
  const correlated = conjunction(pulled.joinFilters);
  const conditions: Expr[] = [];
  if (correlated !== undefined) {
    conditions.push(name === null ? correlated : underAlias(correlated, pulled.correlatedColumns, name));
  }
  if (node.filter !== null && !isLiteralBoolean(node.filter, true)) conditions.push(node.filter);
  // An aggregate without keys gives its row also where nothing matches.
  const always = pulled.emptyInputValues !== undefined;
  const joined = join(node.left, right, always ? 'Left' : node.joinType, {
    ...node,
    filter: conjunction(conditions) ?? null,
  });
  const replacements = emptyInputReplacements(pulled, name);
  const outputs = node.schema.columns().map((output): Expr => {
    const value = output.relation === name ? replacements.get(output.name) : undefined;
    return value === undefined ? column(output.name, output.relation) : alias(value, output.name, output.relation);
  });
  return projection(outputs, joined);
}
