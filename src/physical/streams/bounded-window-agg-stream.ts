import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import type { PhysicalWindowExpr } from '../window-expr.js';

/** What the stream of a BoundedWindowAggExec needs of its node. */
export interface BoundedWindowAggSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  /** All with the same partition and sort keys. */
  readonly windows: readonly PhysicalWindowExpr[];
}

/** The rows of an input partition with the windows' columns. */
export async function* boundedWindowAggStream(
  spec: BoundedWindowAggSpec,
  _partition: number,
  _context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  throw notImplemented('executing window functions', { hint: `${spec.name} can be explained, not run` });
}
