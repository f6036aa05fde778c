import type { Expr, ScalarSubqueryExpr } from '../../expr/expr.js';
import { transformExprUp, mapExprChildren, someExpr } from '../../expr/expr-transform.js';
import { conjunction, TRUE } from '../../expr/expr-utils.js';
import { filter, join, projection, subqueryAlias } from '../builder.js';
import { emptyInputReplacements } from '../decorrelate/empty-input-replacements.js';
import { pullUpCorrelated } from '../decorrelate/pull-up-correlated.js';
import { headOutput, outputColumn, underAlias } from '../decorrelate/subquery-join.js';
import { restoreName } from '../name-preserver.js';
import type { OptimizerContext, OptimizerRule } from '../optimizer-rule.js';
import type { FilterNode, LogicalPlan, ProjectionNode } from '../plan.js';
import { logicalSubquery } from '../subquery.js';

/**
 * Scalar subqueries in filters and select lists become left joins. Uncorrelated ones too, unless
 * `optimizer.enable_physical_uncorrelated_scalar_subquery` leaves them to the physical plan.
 */
export const scalarSubqueryToJoin: OptimizerRule = {
  name: 'scalar_subquery_to_join',
  order: 'top_down',
  apply(plan, context) {
    if (plan.kind === 'filter') return rewriteFilter(plan, context) ?? plan;
    return plan.kind === 'projection' ? (rewriteProjection(plan, context) ?? plan) : plan;
  },
};

interface Extracted {
  readonly subquery: ScalarSubqueryExpr;
  readonly alias: string;
}

function joinsHere(expr: Expr, context: OptimizerContext): expr is ScalarSubqueryExpr {
  if (expr.kind !== 'scalar_subquery') return false;
  const keep = context.config.get('optimizer.enable_physical_uncorrelated_scalar_subquery');
  return !keep || expr.subquery.outerColumns.length > 0;
}

/** Each subquery replaced by the column it will be; undefined when one has no output that could be named. */
function extract(expr: Expr, context: OptimizerContext): { readonly expr: Expr; readonly subqueries: Extracted[] } {
  const subqueries: Extracted[] = [];
  const replaced = (e: Expr): Expr => {
    if (!joinsHere(e, context)) return mapExprChildren(e, replaced);
    const output = headOutput(logicalSubquery(e.subquery).plan);
    if (output === undefined) return e;
    const alias = `__scalar_sq_${context.nextId()}`;
    subqueries.push({ subquery: e, alias });
    return outputColumn(output, alias);
  };
  return { expr: replaced(expr), subqueries };
}

function rewriteFilter(node: FilterNode, context: OptimizerContext): LogicalPlan | undefined {
  if (!someExpr(node.predicate, (e) => joinsHere(e, context))) return undefined;
  const { expr, subqueries } = extract(node.predicate, context);
  let predicate = expr;
  let input = node.input;
  for (const { subquery, alias } of subqueries) {
    const joined = joinSubquery(input, subquery, alias, context);
    if (joined === undefined) return undefined;
    input = joined.plan;
    predicate = withEmptyInputValues(predicate, joined.replacements, alias);
  }
  // The columns that the joins added must not show.
  return projection(node.schema.columns(), filter(predicate, input));
}

function rewriteProjection(node: ProjectionNode, context: OptimizerContext): LogicalPlan | undefined {
  if (!node.exprs.some((expr) => someExpr(expr, (e) => joinsHere(e, context)))) return undefined;
  let input = node.input;
  const exprs: Expr[] = [];
  for (const original of node.exprs) {
    const { expr, subqueries } = extract(original, context);
    let rewritten = expr;
    for (const { subquery, alias } of subqueries) {
      const joined = joinSubquery(input, subquery, alias, context);
      if (joined === undefined) return undefined;
      input = joined.plan;
      rewritten = withEmptyInputValues(rewritten, joined.replacements, alias);
    }
    exprs.push(restoreName(original, rewritten));
  }
  return projection(exprs, input);
}

interface JoinedSubquery {
  readonly plan: LogicalPlan;
  /** By column name: what stands for it, because no match means no row and yet a value. */
  readonly replacements: ReadonlyMap<string, Expr>;
}

function joinSubquery(
  input: LogicalPlan,
  { subquery }: ScalarSubqueryExpr,
  alias: string,
  context: OptimizerContext,
): JoinedSubquery | undefined {
  const pulled = pullUpCorrelated(logicalSubquery(subquery).plan, context, { scalar: true });
  if (pulled === undefined) return undefined;
  const right = subqueryAlias(alias, pulled.plan);
  const correlated = conjunction(pulled.joinFilters);
  const replacements = emptyInputReplacements(pulled, alias);
  const condition = correlated === undefined ? TRUE : underAlias(correlated, pulled.correlatedColumns, alias);
  return { plan: join(input, right, 'Left', { filter: condition }), replacements };
}

function withEmptyInputValues(expr: Expr, replacements: ReadonlyMap<string, Expr>, alias: string): Expr {
  if (replacements.size === 0) return expr;
  return transformExprUp(expr, (e) =>
    e.kind === 'column' && e.relation === alias ? (replacements.get(e.name) ?? e) : e,
  );
}
