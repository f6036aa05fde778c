import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a InterleaveExec needs of its node. */
export type InterleaveSpec = ExecutionPlan;

export function interleaveStream(
  _spec: InterleaveSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing InterleaveExec');
}
