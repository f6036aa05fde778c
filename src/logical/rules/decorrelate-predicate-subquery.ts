import { binary, column, type Expr } from '../../expr/expr.js';
import { exprNullable } from '../../expr/expr-schema.js';
import { columnsOf, mapExprChildren, someExpr } from '../../expr/expr-transform.js';
import { conjunction, splitConjunction, TRUE } from '../../expr/expr-utils.js';
import { filter, join, projection, subqueryAlias } from '../builder.js';
import { pullUpCorrelated } from '../decorrelate/pull-up-correlated.js';
import { headOutput, outputColumn, underAlias } from '../decorrelate/subquery-join.js';
import type { OptimizerContext, OptimizerRule } from '../optimizer-rule.js';
import type { FilterNode, JoinType, LogicalPlan } from '../plan.js';
import { logicalSubquery } from '../subquery.js';
import { mapSubqueries, transformPlanDown } from '../transform.js';

/** EXISTS and IN in filters become semi, anti or mark joins. */
export const decorrelatePredicateSubquery: OptimizerRule = {
  name: 'decorrelate_predicate_subquery',
  order: 'top_down',
  apply: rewrite,
};

type PredicateSubquery = Extract<Expr, { kind: 'exists' | 'in_subquery' }>;

function isPredicateSubquery(expr: Expr): expr is PredicateSubquery {
  return expr.kind === 'exists' || expr.kind === 'in_subquery';
}

function rewrite(plan: LogicalPlan, context: OptimizerContext): LogicalPlan {
  // Innermost subqueries first: what they become decides whether the outer one can be joined.
  const inner = mapSubqueries(plan, (subquery) => transformPlanDown(subquery, (node) => rewrite(node, context)));
  return inner.kind === 'filter' && someExpr(inner.predicate, isPredicateSubquery)
    ? joinSubqueries(inner, context)
    : inner;
}

function joinSubqueries(node: FilterNode, context: OptimizerContext): LogicalPlan {
  const conjuncts = splitConjunction(node.predicate);
  const others = conjuncts.filter((expr) => !someExpr(expr, isPredicateSubquery));
  let input = node.input;
  for (const expr of conjuncts) {
    if (!someExpr(expr, isPredicateSubquery)) continue;
    const top = topLevel(expr);
    if (top !== undefined) {
      const joined = joinOne(input, top, top.negated ? 'LeftAnti' : 'LeftSemi', nextAlias(context), context);
      if (joined === undefined) others.push(expr);
      else input = joined;
      continue;
    }
    // Inside another expression: a mark column says what the subquery would.
    const marked = (e: Expr): Expr => {
      if (!isPredicateSubquery(e)) return mapExprChildren(e, marked);
      const alias = nextAlias(context);
      const joined = joinOne(input, e, 'LeftMark', alias, context);
      if (joined === undefined) return e;
      input = joined;
      const mark = column('mark', alias);
      return e.negated ? { kind: 'not', expr: mark } : mark;
    };
    others.push(marked(expr));
  }
  const rest = conjunction(others);
  const result = rest === undefined ? input : filter(rest, input);
  // Mark columns must not show.
  return result.schema.length === node.schema.length ? result : projection(node.schema.columns(), result);
}

/** The subquery that a conjunct is, NOT around it taken in. */
function topLevel(expr: Expr): PredicateSubquery | undefined {
  if (expr.kind === 'not') {
    return isPredicateSubquery(expr.expr) ? { ...expr.expr, negated: !expr.expr.negated } : undefined;
  }
  return isPredicateSubquery(expr) ? expr : undefined;
}

function nextAlias(context: OptimizerContext): string {
  return `__correlated_sq_${context.nextId()}`;
}

function joinOne(
  left: LogicalPlan,
  expr: PredicateSubquery,
  joinType: JoinType,
  alias: string,
  context: OptimizerContext,
): LogicalPlan | undefined {
  const { plan } = logicalSubquery(expr.subquery);
  let inPredicate: { readonly left: Expr; readonly right: Expr } | undefined;
  if (expr.kind === 'in_subquery') {
    const output = headOutput(plan);
    if (output === undefined) return undefined;
    inPredicate = { left: expr.expr, right: output };
  }
  const pulled = pullUpCorrelated(
    plan,
    context,
    inPredicate === undefined ? { exists: true } : { inPredicate: binary(inPredicate.left, '=', inPredicate.right) },
  );
  if (pulled === undefined) return undefined;
  const right = subqueryAlias(alias, pulled.plan);
  const correlated = conjunction(pulled.joinFilters);
  const outer = correlated === undefined ? undefined : underAlias(correlated, pulled.correlatedColumns, alias);
  if (inPredicate === undefined) return joinOn(left, right, joinType, outer ?? TRUE, false);
  const key = outputColumn(inPredicate.right, alias);
  const equal = binary(inPredicate.left, '=', key);
  const nulls =
    joinType === 'LeftAnti' && (exprNullable(inPredicate.left, left.schema) || right.schema.fieldOf(key).nullable);
  if (outer === undefined) return joinOn(left, right, joinType, equal, nulls);
  // The null-aware join knows one key and no more. Beside correlated conditions NOT IN is an anti join on what is not false; DataFusion
  // takes what is true there, and lets rows through that a null should have stopped.
  const match: Expr = nulls ? { kind: 'is', expr: equal, test: 'FALSE', negated: true } : equal;
  return joinOn(left, right, joinType, binary(match, 'AND', outer), false);
}

function joinOn(
  left: LogicalPlan,
  right: LogicalPlan,
  joinType: JoinType,
  condition: Expr,
  nullAware: boolean,
): LogicalPlan {
  return joinType === 'LeftMark'
    ? markJoin(left, right, condition)
    : join(left, right, joinType, { filter: condition, nullAware });
}

/** Only the columns of the condition are of use on the right side of a mark join. */
function markJoin(left: LogicalPlan, right: LogicalPlan, condition: Expr): LogicalPlan {
  const needed = columnsOf(condition)
    .map((c) => right.schema.indexOf(c))
    .filter((index) => index >= 0)
    .sort((a, b) => a - b);
  if (needed.length === 0) return join(left, right, 'LeftMark', { filter: condition });
  const columns = [...new Set(needed)].map((index) => right.schema.columnAt(index));
  return join(left, projection(columns, right), 'LeftMark', { filter: condition });
}
