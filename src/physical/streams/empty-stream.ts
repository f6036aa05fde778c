import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a EmptyExec needs of its node. */
export type EmptySpec = ExecutionPlan;

/** No rows. */
export async function* emptyStream(
  _spec: EmptySpec,
  _partition: number,
  _context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  // Nothing to give.
}
