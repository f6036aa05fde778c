import type { Expr } from '../../expr/expr.js';
import { exprNullable } from '../../expr/expr-schema.js';
import { conjunction } from '../../expr/expr-utils.js';
import { filter } from '../builder.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { JoinNode, LogicalPlan } from '../plan.js';
import { withInputs } from '../transform.js';

/** Rows whose key is null join nothing: on sides where such rows would vanish they may vanish before the join. Off by default. */
export const filterNullJoinKeys: OptimizerRule = {
  name: 'filter_null_join_keys',
  order: 'bottom_up',
  apply(plan, { config }) {
    if (!config.get('optimizer.filter_null_join_keys') || plan.kind !== 'join' || plan.nullEqualsNull) return plan;
    const { left, right } = droppedSides(plan);
    return withInputs(plan, [
      left
        ? withoutNulls(
            plan.left,
            plan.on.map(([key]) => key),
          )
        : plan.left,
      right
        ? withoutNulls(
            plan.right,
            plan.on.map(([, key]) => key),
          )
        : plan.right,
    ]);
  },
};

function droppedSides(node: JoinNode): { readonly left: boolean; readonly right: boolean } {
  switch (node.joinType) {
    case 'Inner':
    case 'LeftSemi':
    case 'RightSemi':
      return { left: true, right: true };
    case 'Left':
    case 'LeftMark':
      return { left: false, right: true };
    case 'LeftAnti':
      // A null on the right side of NOT IN decides.
      return { left: false, right: !node.nullAware };
    case 'Right':
    case 'RightMark':
      return { left: true, right: false };
    case 'RightAnti':
      return { left: !node.nullAware, right: false };
    case 'Full':
      return { left: false, right: false };
  }
}

function withoutNulls(input: LogicalPlan, keys: readonly Expr[]): LogicalPlan {
  const conditions = keys
    .filter((key) => exprNullable(key, input.schema))
    .map((key): Expr => ({ kind: 'is', expr: key, test: 'NULL', negated: true }));
  const predicate = conjunction(conditions);
  return predicate === undefined ? input : filter(predicate, input);
}
