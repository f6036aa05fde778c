import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a EmptyExec needs of its node. */
export type EmptySpec = ExecutionPlan;

export function emptyStream(_spec: EmptySpec, _partition: number, _context: TaskContext): AsyncIterable<RecordBatch> {
  throw notImplemented('executing EmptyExec');
}
