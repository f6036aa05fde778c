import { emptyRelation } from '../builder.js';
import type { OptimizerRule } from '../optimizer-rule.js';

/** LIMIT 0 gives nothing; a limit without numbers does nothing. */
export const eliminateLimit: OptimizerRule = {
  name: 'eliminate_limit',
  order: 'bottom_up',
  apply(plan) {
    if (plan.kind !== 'limit') return plan;
    if (plan.fetch === 0) return emptyRelation(false, plan.schema);
    return plan.fetch === null && plan.skip === 0 ? plan.input : plan;
  },
};
