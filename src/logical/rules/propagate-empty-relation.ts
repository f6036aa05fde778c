import { scalar } from '../../columnar/scalar-value.js';
import { alias, type Expr, literal } from '../../expr/expr.js';
import { emptyRelation, projection, union } from '../builder.js';
import type { DFSchema } from '../df-schema.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, LogicalPlan, UnionNode } from '../plan.js';

/** What reads nothing gives nothing: empty relations move up as far as they decide. */
export const propagateEmptyRelation: OptimizerRule = {
  name: 'propagate_empty_relation',
  order: 'bottom_up',
  apply(plan) {
    switch (plan.kind) {
      case 'projection':
      case 'filter':
      case 'window':
      case 'sort':
      case 'subquery_alias':
      case 'limit':
      case 'distinct':
        return isEmpty(plan.input) ? emptyRelation(false, plan.schema) : plan;
      case 'aggregate':
        // Without keys an aggregate gives a row of nothing, too.
        return plan.groupBy.length > 0 && isEmpty(plan.input) ? emptyRelation(false, plan.schema) : plan;
      case 'join':
        return throughJoin(plan);
      case 'union':
        return throughUnion(plan);
      case 'table_scan':
      case 'subquery':
      case 'distinct_on':
      case 'values':
      case 'empty_relation':
        return plan;
    }
  },
};

function isEmpty(plan: LogicalPlan): boolean {
  return plan.kind === 'empty_relation' && !plan.producesOneRow;
}

function throughJoin(node: JoinNode): LogicalPlan {
  const left = isEmpty(node.left);
  const right = isEmpty(node.right);
  const nothing = emptyRelation(false, node.schema);
  switch (node.joinType) {
    case 'Inner':
    case 'LeftSemi':
    case 'RightSemi':
      return left || right ? nothing : node;
    case 'Left':
      return left ? nothing : right ? padded(node, 'left') : node;
    case 'Right':
      return right ? nothing : left ? padded(node, 'right') : node;
    case 'Full':
      if (left && right) return nothing;
      return right ? padded(node, 'left') : left ? padded(node, 'right') : node;
    case 'LeftAnti':
      return left ? nothing : right ? node.left : node;
    case 'RightAnti':
      return right ? nothing : left ? node.right : node;
    case 'LeftMark':
    case 'RightMark':
      return node;
  }
}

/** The rows of the side that is there, with nulls for the other. */
function padded(node: JoinNode, side: 'left' | 'right'): LogicalPlan {
  const leftLength = node.left.schema.length;
  const exprs = node.schema.fields.map(({ relation, field }, index): Expr => {
    const there = index < leftLength === (side === 'left');
    return there ? node.schema.columnAt(index) : alias(literal(scalar(field.type, null)), field.name, relation);
  });
  return projection(exprs, node[side]);
}

function throughUnion(node: UnionNode): LogicalPlan {
  const inputs = node.inputs.filter((input) => !isEmpty(input));
  if (inputs.length === node.inputs.length) return node;
  const [only] = inputs;
  if (only === undefined) return emptyRelation(false, node.schema);
  return inputs.length === 1 ? underNames(only, node.schema) : union(inputs);
}

/** The plan with its columns named as in the schema. */
function underNames(plan: LogicalPlan, schema: DFSchema): LogicalPlan {
  const exprs = schema.fields.map(({ relation, field }, index): Expr => {
    const column = plan.schema.columnAt(index);
    return column.relation === relation && column.name === field.name ? column : alias(column, field.name, relation);
  });
  return exprs.every((expr) => expr.kind === 'column') ? plan : projection(exprs, plan);
}
