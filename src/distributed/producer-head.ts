import type { ExecutionPlan } from '../physical/execution-plan.js';
import { AggregateExec } from '../physical/operators/aggregate-exec.js';
import { RepartitionExec } from '../physical/operators/repartition-exec.js';
import type { BoundaryKind } from './network-boundary.js';
import { BroadcastExec } from './operators/broadcast-exec.js';

/** Whether consumers behind a boundary of that kind can address the plan's partitions. A partial reduce stands on its repartition. */
export function hasProducerHead(plan: ExecutionPlan, kind: BoundaryKind): boolean {
  switch (kind) {
    case 'coalesce':
      return true;
    case 'broadcast':
      return plan instanceof BroadcastExec;
    case 'shuffle': {
      const head = plan instanceof AggregateExec && plan.mode === 'PartialReduce' ? plan.input : plan;
      return head instanceof RepartitionExec && head.partitioning.kind === 'hash';
    }
  }
}
