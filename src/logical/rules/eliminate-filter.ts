import { isLiteralBoolean, isNullLiteral } from '../../expr/expr-utils.js';
import { emptyRelation } from '../builder.js';
import type { OptimizerRule } from '../optimizer-rule.js';

/** A filter that keeps all rows goes; one that keeps none is an empty relation. */
export const eliminateFilter: OptimizerRule = {
  name: 'eliminate_filter',
  order: 'top_down',
  apply(plan) {
    if (plan.kind !== 'filter') return plan;
    if (isLiteralBoolean(plan.predicate, true)) return plan.input;
    if (isLiteralBoolean(plan.predicate, false) || isNullLiteral(plan.predicate)) {
      return emptyRelation(false, plan.schema);
    }
    return plan;
  },
};
