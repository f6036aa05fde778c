import type { Expr } from '../../expr/expr.js';
import { isLiteralBoolean } from '../../expr/expr-utils.js';
import { emptyRelation, join } from '../builder.js';
import { isUniqueOn } from '../functional-dependence.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { AggregateNode, JoinNode, LogicalPlan } from '../plan.js';
import { RequiredColumns } from '../required-columns.js';
import { mapSubqueries, withInputs } from '../transform.js';
import { planExprs, planInputs } from '../traverse.js';

/**
 * Joins that only ask whether there is a match become semi joins; outer joins that nobody looks behind go away; an inner join on
 * false is empty.
 */
export const eliminateJoin: OptimizerRule = {
  name: 'eliminate_join',
  order: 'own',
  apply: (plan) => eliminateIn(plan),
};

function eliminateIn(root: LogicalPlan): LogicalPlan {
  return eliminate(root, RequiredColumns.all(root.schema), false);
}

/**
 * `live`: the output columns somebody above reads. `mayRepeat`: nobody above can tell whether a row comes once or several times.
 */
function eliminate(node: LogicalPlan, live: RequiredColumns, mayRepeat: boolean): LogicalPlan {
  const plan = mapSubqueries(node, eliminateIn);
  switch (plan.kind) {
    case 'projection': {
      const used = RequiredColumns.none.withExprs(plan.input.schema, live.pick(plan.exprs));
      // What nobody reads stays in the list, so its columns must stay too; only joins may ignore them.
      return rebuild(plan, eliminate(plan.input, used.withExprs(plan.input.schema, plan.exprs), mayRepeat));
    }
    case 'filter':
      return rebuild(plan, eliminate(plan.input, live.withExprs(plan.input.schema, planExprs(plan)), mayRepeat));
    case 'sort':
      return rebuild(
        plan,
        eliminate(plan.input, live.withExprs(plan.input.schema, planExprs(plan)), mayRepeat && plan.fetch === null),
      );
    case 'subquery_alias':
      return rebuild(plan, eliminate(plan.input, live, mayRepeat));
    case 'aggregate':
      return rebuild(
        plan,
        eliminate(plan.input, aggregateNeeds(plan), plan.groupBy.length > 0 && plan.aggregates.length === 0),
      );
    case 'distinct':
      return rebuild(plan, eliminate(plan.input, RequiredColumns.all(plan.input.schema), true));
    case 'join':
      return eliminateJoinNode(plan, live, mayRepeat);
    case 'union':
      return withInputs(
        plan,
        plan.inputs.map((input) => eliminate(input, RequiredColumns.all(input.schema), mayRepeat)),
      );
    case 'window':
    case 'limit':
    case 'subquery':
    case 'distinct_on':
      return withInputs(plan, planInputs(plan).map(eliminateIn));
    case 'table_scan':
    case 'values':
    case 'empty_relation':
      return plan;
  }
}

function rebuild(plan: LogicalPlan, input: LogicalPlan): LogicalPlan {
  return withInputs(plan, [input]);
}

function aggregateNeeds(plan: AggregateNode): RequiredColumns {
  return RequiredColumns.none.withExprs(plan.input.schema, planExprs(plan));
}

function eliminateJoinNode(node: JoinNode, live: RequiredColumns, mayRepeat: boolean): LogicalPlan {
  const leftLength = node.left.schema.length;
  switch (node.joinType) {
    case 'Inner': {
      if (node.on.length === 0) {
        if (node.filter !== null && isLiteralBoolean(node.filter, false)) return emptyRelation(false, node.schema);
        return withSides(node, live, mayRepeat, mayRepeat);
      }
      const [left, right] = live.split(leftLength);
      if (right.indices.length === 0 && (mayRepeat || isUniqueOnKeys(node, 'right'))) {
        const semi = join(node.left, node.right, 'LeftSemi', node);
        return withSides(semi, left, mayRepeat, true);
      }
      if (left.indices.length === 0 && (mayRepeat || isUniqueOnKeys(node, 'left'))) {
        const semi = join(node.left, node.right, 'RightSemi', node);
        return withSides(semi, right, true, mayRepeat);
      }
      return withSides(node, live, mayRepeat, mayRepeat);
    }
    case 'Left': {
      const [left, right] = live.split(leftLength);
      if (right.indices.length === 0 && (mayRepeat || isUniqueOnKeys(node, 'right'))) {
        return eliminate(node.left, left, mayRepeat);
      }
      return withSides(node, live, false, false);
    }
    case 'Right': {
      const [left, right] = live.split(leftLength);
      if (left.indices.length === 0 && (mayRepeat || isUniqueOnKeys(node, 'left'))) {
        return eliminate(node.right, right, mayRepeat);
      }
      return withSides(node, live, false, false);
    }
    case 'Full':
      return withSides(node, live, false, false);
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return withSides(node, live, mayRepeat, true);
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return withSides(node, live, true, mayRepeat);
  }
}

/** At most one row of that side for each key. */
function isUniqueOnKeys(node: JoinNode, side: 'left' | 'right'): boolean {
  const plan = node[side];
  const keys = node.on.map(([left, right]): Expr => (side === 'left' ? left : right));
  const positions = keys.flatMap((key) => (key.kind === 'column' ? [plan.schema.indexOf(key)] : []));
  return isUniqueOn(plan, positions);
}

function withSides(node: JoinNode, live: RequiredColumns, leftRepeats: boolean, rightRepeats: boolean): LogicalPlan {
  const exprs = planExprs(node);
  const [left, right] = sideColumns(node, live);
  return withInputs(node, [
    eliminate(node.left, left.withExprs(node.left.schema, exprs), leftRepeats),
    eliminate(node.right, right.withExprs(node.right.schema, exprs), rightRepeats),
  ]);
}

function sideColumns(node: JoinNode, live: RequiredColumns): readonly [RequiredColumns, RequiredColumns] {
  switch (node.joinType) {
    case 'Inner':
    case 'Left':
    case 'Right':
    case 'Full':
      return live.split(node.left.schema.length);
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return [live.split(node.left.schema.length)[0], RequiredColumns.none];
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return [RequiredColumns.none, live.split(node.right.schema.length)[0]];
  }
}
