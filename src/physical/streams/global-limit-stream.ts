import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a GlobalLimitExec needs of its node. */
export interface GlobalLimitSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly skip: number;
  readonly fetch: number | null;
}

export function globalLimitStream(
  _spec: GlobalLimitSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing GlobalLimitExec');
}
