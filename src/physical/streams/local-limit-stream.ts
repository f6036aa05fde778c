import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a LocalLimitExec needs of its node. */
export interface LocalLimitSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly fetch: number;
}

export function localLimitStream(
  _spec: LocalLimitSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing LocalLimitExec');
}
