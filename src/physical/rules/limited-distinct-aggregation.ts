import { physicalExprsEqual } from '../../expr/physical-expr-transform.js';
import { outputOrdering } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { GlobalLimitExec } from '../operators/global-limit-exec.js';
import { LocalLimitExec } from '../operators/local-limit-exec.js';
import { transformDown } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** A LIMIT over a DISTINCT: aggregates that only group may stop once they have that many groups. */
export const limitedDistinctAggregation: PhysicalRule = {
  name: 'LimitedDistinctAggregation',
  optimize: (plan, config) =>
    config.get('optimizer.enable_distinct_aggregation_soft_limit') ? transformDown(plan, limitAggregates) : plan,
};

function limitAggregates(plan: ExecutionPlan): ExecutionPlan {
  let limit: number;
  let input: ExecutionPlan;
  if (plan instanceof LocalLimitExec) {
    limit = plan.fetch;
    input = plan.input;
  } else if (plan instanceof GlobalLimitExec && plan.fetch !== null) {
    limit = plan.fetch + plan.skip;
    input = plan.input;
  } else return plan;
  const changed = limitBelow(input, limit, null);
  return changed === undefined ? plan : plan.withNewChildren([changed]);
}

/** Puts the limit on the chain of aggregates that starts below; undefined when there is none that can take it. */
function limitBelow(plan: ExecutionPlan, limit: number, above: AggregateExec | null): ExecutionPlan | undefined {
  if (plan instanceof AggregateExec) {
    if (!groupsOnly(plan) || (above !== null && !sameKeys(above, plan))) return undefined;
    const below = limitBelow(plan.input, limit, plan);
    const limited = plan.with({ limit: { count: limit, descending: null } });
    return below === undefined ? limited : limited.withNewChildren([below]);
  }
  return undefined;
}

function groupsOnly({ groupBy, aggregates, properties, limit, input }: AggregateExec): boolean {
  if (groupBy.exprs.length === 0 || aggregates.length > 0 || limit !== null) return false;
  // An order, of the output or wanted of the input, would be cut at the wrong place.
  return outputOrdering(properties) === null && outputOrdering(input.properties) === null;
}

/** Whether both stages group by the same expressions, word for word: only then does the limit reach the lower one. */
function sameKeys(upper: AggregateExec, lower: AggregateExec): boolean {
  const above = upper.groupBy.exprs;
  const below = lower.groupBy.exprs;
  return (
    above.length === below.length &&
    above.every(({ expr, name }, i) => name === below[i]!.name && physicalExprsEqual(expr, below[i]!.expr))
  );
}
