import type { SortExpr } from '../../expr/expr.js';
import { distinctExprs, exprKey } from '../../expr/expr-equality.js';
import { aggregate, sort } from '../builder.js';
import { functionalDependencies } from '../functional-dependence.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type { LogicalPlan, SortNode } from '../plan.js';

/** A sort or group key that was there already, or that earlier sort keys determine, changes nothing. */
export const eliminateDuplicatedExpr: OptimizerRule = {
  name: 'eliminate_duplicated_expr',
  order: 'top_down',
  apply(plan) {
    if (plan.kind === 'sort') return withDecidingKeys(plan);
    if (plan.kind === 'aggregate') {
      const groupBy = distinctExprs(plan.groupBy);
      return groupBy.length === plan.groupBy.length ? plan : aggregate(groupBy, plan.aggregates, plan.input);
    }
    return plan;
  },
};

function withDecidingKeys(plan: SortNode): LogicalPlan {
  const dependencies = functionalDependencies(plan.input);
  const seen = new Set<string>();
  const columns = new Set<number>();
  const keys: SortExpr[] = [];
  for (const key of plan.keys) {
    const text = exprKey(key.expr);
    if (seen.has(text)) continue;
    const position = key.expr.kind === 'column' ? plan.input.schema.indexOf(key.expr) : -1;
    const determined = dependencies.some(
      ({ source, target }) => target.includes(position) && source.every((index) => columns.has(index)),
    );
    if (determined) continue;
    seen.add(text);
    if (position >= 0) columns.add(position);
    keys.push(key);
  }
  return keys.length === plan.keys.length ? plan : sort(keys, plan.input, plan.fetch);
}
