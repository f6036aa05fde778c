import type { Expr } from '../../expr/expr.js';
import { replaceColumns } from '../../expr/expr-transform.js';
import { unalias } from '../../expr/expr-utils.js';
import { join } from '../builder.js';
import { nullRejectedSides } from '../null-rejection.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, JoinType, LogicalPlan, ProjectionNode } from '../plan.js';
import { withInputs } from '../transform.js';

/** A filter that drops the rows an outer join has padded with nulls makes the join an inner one, or a less outer one. */
export const eliminateOuterJoin: OptimizerRule = {
  name: 'eliminate_outer_join',
  order: 'top_down',
  apply(plan) {
    if (plan.kind !== 'filter') return plan;
    const input = weaken(plan.input, plan.predicate);
    return input === plan.input ? plan : withInputs(plan, [input]);
  },
};

function weaken(plan: LogicalPlan, predicate: Expr): LogicalPlan {
  if (plan.kind === 'projection') {
    const input = weaken(plan.input, throughProjection(predicate, plan));
    return input === plan.input ? plan : withInputs(plan, [input]);
  }
  if (plan.kind !== 'join') return plan;
  const joinType = weakerType(plan, predicate);
  return joinType === plan.joinType ? plan : join(plan.left, plan.right, joinType, plan);
}

function throughProjection(predicate: Expr, node: ProjectionNode): Expr {
  return replaceColumns(predicate, (column) => {
    const index = node.schema.indexOf(column);
    const expr = index < 0 ? undefined : node.exprs[index];
    return expr === undefined ? undefined : unalias(expr);
  });
}

function weakerType(node: JoinNode, predicate: Expr): JoinType {
  if (node.joinType !== 'Left' && node.joinType !== 'Right' && node.joinType !== 'Full') return node.joinType;
  const { left, right } = nullRejectedSides(predicate, node.left.schema, node.right.schema);
  switch (node.joinType) {
    case 'Left':
      return right ? 'Inner' : 'Left';
    case 'Right':
      return left ? 'Inner' : 'Right';
    case 'Full':
      if (left && right) return 'Inner';
      return left ? 'Left' : right ? 'Right' : 'Full';
  }
}
