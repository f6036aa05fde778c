import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a CoalescePartitionsExec needs of its node. */
export interface CoalescePartitionsSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly fetch: number | null;
}

export function coalescePartitionsStream(
  _spec: CoalescePartitionsSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing CoalescePartitionsExec');
}
