import type { ExecutionPlan } from '../execution-plan.js';
import type { PhysicalAggregateExpr } from '../aggregate-expr.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { transformDown } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** Two stages with nothing between them do in one node what they do in two. */
export const combinePartialFinalAggregate: PhysicalRule = {
  name: 'CombinePartialFinalAggregate',
  optimize: (plan) => transformDown(plan, combine),
};

function combine(plan: ExecutionPlan): ExecutionPlan {
  if (!(plan instanceof AggregateExec) || (plan.mode !== 'Final' && plan.mode !== 'FinalPartitioned')) return plan;
  const partial = plan.input;
  if (!(partial instanceof AggregateExec) || partial.mode !== 'Partial' || !agree(plan, partial)) return plan;
  return new AggregateExec(
    plan.mode === 'Final' ? 'Single' : 'SinglePartitioned',
    partial.groupBy,
    partial.aggregates,
    partial.input,
    { limit: plan.limit },
  );
}

/** The later stage's keys are the earlier one's outputs, and both compute the same calls. */
function agree(final: AggregateExec, partial: AggregateExec): boolean {
  if (final.aggregates.length !== partial.aggregates.length || partial.groupBy.groups.length > 1) return false;
  if (final.groupBy.exprs.length !== partial.groupBy.exprs.length) return false;
  const keys = final.groupBy.exprs.every(({ expr }, i) => expr.kind === 'column' && expr.index === i);
  return keys && final.aggregates.every((call, i) => sameCall(call, partial.aggregates[i]!));
}

function sameCall(a: PhysicalAggregateExpr, b: PhysicalAggregateExpr): boolean {
  return a === b || (a.name === b.name && a.func === b.func && a.distinct === b.distinct);
}
