import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { Partitioning } from '../plan-properties.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a RepartitionExec needs of its node. */
export interface RepartitionSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly partitioning: Partitioning;
  readonly preserveOrder: boolean;
  /** The order to merge the input partitions by, or null. */
  readonly sortExprs: readonly PhysicalSortExpr[] | null;
}

export function repartitionStream(
  _spec: RepartitionSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing RepartitionExec');
}
