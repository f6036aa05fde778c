import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a SortPreservingMergeExec needs of its node. */
export interface SortPreservingMergeSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly exprs: readonly PhysicalSortExpr[];
  readonly fetch: number | null;
}

export function sortPreservingMergeStream(
  _spec: SortPreservingMergeSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing SortPreservingMergeExec');
}
