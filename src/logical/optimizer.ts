import { DistqError } from '../base/errors.js';
import { type DataType, isDecimal, typeName, typesEqual } from '../columnar/data-type.js';
import type { SessionConfig } from '../config/session-config.js';
import { displayColumn } from '../expr/expr-display.js';
import type { FunctionRegistry } from '../expr/function.js';
import type { DFSchema } from './df-schema.js';
import { displayPlan } from './display.js';
import type { ConstantEvaluator, OptimizerContext, OptimizerRule } from './optimizer-rule.js';
import type { LogicalPlan } from './plan.js';
import { commonSubExpressionEliminate } from './rules/common-sub-expression-eliminate.js';
import { decorrelateLateralJoin } from './rules/decorrelate-lateral-join.js';
import { decorrelatePredicateSubquery } from './rules/decorrelate-predicate-subquery.js';
import { eliminateCrossJoin } from './rules/eliminate-cross-join.js';
import { eliminateDuplicatedExpr } from './rules/eliminate-duplicated-expr.js';
import { eliminateFilter } from './rules/eliminate-filter.js';
import { eliminateGroupByConstant } from './rules/eliminate-group-by-constant.js';
import { eliminateJoin } from './rules/eliminate-join.js';
import { eliminateLimit } from './rules/eliminate-limit.js';
import { eliminateOuterJoin } from './rules/eliminate-outer-join.js';
import { extractEquijoinPredicate } from './rules/extract-equijoin-predicate.js';
import { filterNullJoinKeys } from './rules/filter-null-join-keys.js';
import { optimizeProjections } from './rules/optimize-projections.js';
import { optimizeUnions } from './rules/optimize-unions.js';
import { propagateEmptyRelation } from './rules/propagate-empty-relation.js';
import { pushDownFilter } from './rules/push-down-filter.js';
import { pushDownLimit } from './rules/push-down-limit.js';
import { replaceDistinctAggregate } from './rules/replace-distinct-aggregate.js';
import { rewriteSetComparison } from './rules/rewrite-set-comparison.js';
import { scalarSubqueryToJoin } from './rules/scalar-subquery-to-join.js';
import { simplifyExpressions } from './rules/simplify-expressions.js';
import { singleDistinctAggregationToGroupBy } from './rules/single-distinct-aggregation-to-group-by.js';
import { transformPlanDown, transformPlanUp } from './transform.js';

/**
 * DataFusion's rules in DataFusion's order; each says why it stands where it does. Three of its list are not here: unions_to_filter
 * (behind optimize_unions, off by default), extract_leaf_expressions and push_down_leaf_projections (before optimize_projections;
 * they only touch accessors of structs).
 */
export const OPTIMIZER_RULES: readonly OptimizerRule[] = [
  // Makes EXISTS of ANY and ALL, which decorrelation knows.
  rewriteSetComparison,
  // One flat union is cheaper to look at for all that follow.
  optimizeUnions,
  // Later rules match simple shapes: `column op literal`, no NOT, no BETWEEN.
  simplifyExpressions,
  // From here on DISTINCT is grouping.
  replaceDistinctAggregate,
  // Uses what decorrelation and pruning have made in the pass before.
  eliminateJoin,
  // Subqueries turn into joins, whose conditions the next rules sort out.
  decorrelatePredicateSubquery,
  scalarSubqueryToJoin,
  decorrelateLateralJoin,
  // Conditions of joins become keys, before joins are ordered by their keys.
  extractEquijoinPredicate,
  eliminateDuplicatedExpr,
  eliminateFilter,
  eliminateCrossJoin,
  // What is known to be empty goes before anything is pushed into it.
  eliminateLimit,
  propagateEmptyRelation,
  filterNullJoinKeys,
  // Filters still stand above the joins they weaken.
  eliminateOuterJoin,
  // Limits before filters: a filter must not get below a limit that was there first.
  pushDownLimit,
  pushDownFilter,
  // Aggregates have their final inputs now.
  singleDistinctAggregationToGroupBy,
  eliminateGroupByConstant,
  // Expressions are final: share what they repeat, then drop what nobody reads.
  commonSubExpressionEliminate,
  optimizeProjections,
];

export interface OptimizeOptions {
  readonly config: SessionConfig;
  readonly constants: ConstantEvaluator;
  readonly functions?: FunctionRegistry;
  /** Sees the plan after each rule (EXPLAIN VERBOSE). */
  readonly onRule?: (rule: string, plan: LogicalPlan) => void;
}

/** Runs the rules over an analyzed plan, pass after pass, until a pass brings nothing new or `optimizer.max_passes` is reached. */
export function optimize(plan: LogicalPlan, { config, constants, functions, onRule }: OptimizeOptions): LogicalPlan {
  let lastId = 0;
  const context: OptimizerContext = { config, constants, functions, nextId: () => ++lastId };
  const seen = new Set([displayPlan(plan)]);
  let current = plan;
  for (let pass = 0; pass < config.get('optimizer.max_passes'); pass++) {
    for (const rule of OPTIMIZER_RULES) {
      const next = applyRule(rule, current, context);
      if (next !== current) checkSchema(rule, current.schema, next.schema);
      current = next;
      onRule?.(rule.name, current);
    }
    const text = displayPlan(current);
    if (seen.has(text)) break;
    seen.add(text);
  }
  return current;
}

function applyRule(rule: OptimizerRule, plan: LogicalPlan, context: OptimizerContext): LogicalPlan {
  const apply = (node: LogicalPlan): LogicalPlan => rule.apply(node, context);
  switch (rule.order) {
    case 'top_down':
      return transformPlanDown(plan, apply);
    case 'bottom_up':
      return transformPlanUp(plan, apply);
    case 'own':
      return apply(plan);
  }
}

/** A rule that changes what a query gives is a bug. */
function checkSchema(rule: OptimizerRule, before: DFSchema, after: DFSchema): void {
  const same =
    before.length === after.length &&
    before.fields.every(({ relation, field }, index) => {
      const now = after.at(index);
      return now.relation === relation && now.field.name === field.name && sameKind(now.field.type, field.type);
    });
  if (!same) {
    throw new DistqError('internal', `${rule.name} changed the columns [${columns(before)}] to [${columns(after)}]`);
  }
}

/** A sum in two steps is wider than in one, as in DataFusion: of decimals only the scale must stay. */
function sameKind(a: DataType, b: DataType): boolean {
  return typesEqual(a, b) || (isDecimal(a) && isDecimal(b) && a.scale === b.scale);
}

function columns(schema: DFSchema): string {
  return schema.fields
    .map(({ relation, field }) => `${displayColumn({ relation, name: field.name })}: ${typeName(field.type)}`)
    .join(', ');
}
