import { finalGroupBy } from '../../physical/aggregate-expr.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { AggregateExec } from '../../physical/operators/aggregate-exec.js';
import { RepartitionExec } from '../../physical/operators/repartition-exec.js';
import { transformUp } from '../../physical/tree.js';
import { NetworkShuffleExec } from '../operators/network-shuffle-exec.js';

/**
 * Reduces partial aggregates once more before they travel: `RepartitionExec(Partial)` below a shuffle becomes
 * `PartialReduce(RepartitionExec(Partial))`. Worth it where many input partitions of a task hold the same groups.
 *
 * The keys are the partial output's first columns. Aggregates without keys have no repartition and are left alone.
 * Source: distributed planner reference, 4.10.
 */
export function partialReduce(plan: ExecutionPlan): ExecutionPlan {
  return transformUp(plan, (node) => {
    if (!(node instanceof NetworkShuffleExec) || node.inputStage.state === 'remote') return node;
    const head = node.inputStage.plan;
    if (!(head instanceof RepartitionExec)) return node;
    const partial = head.input;
    if (!(partial instanceof AggregateExec) || partial.mode !== 'Partial') return node;
    const reduced = new AggregateExec('PartialReduce', finalGroupBy(partial.groupBy), partial.aggregates, head);
    return node.withInputStage({ ...node.inputStage, plan: reduced });
  });
}
