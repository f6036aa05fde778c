import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalAggregateExpr, PhysicalGroupBy } from '../aggregate-expr.js';
import type { AggregateLimit, AggregateMode, OrderingMode } from '../operators/aggregate-exec.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a AggregateExec needs of its node. */
export interface AggregateSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly mode: AggregateMode;
  readonly groupBy: PhysicalGroupBy;
  readonly aggregates: readonly PhysicalAggregateExpr[];
  readonly limit: AggregateLimit | null;
  readonly orderingMode: OrderingMode;
  readonly dynamicFilter: number | null;
}

export function aggregateStream(
  _spec: AggregateSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing AggregateExec');
}
