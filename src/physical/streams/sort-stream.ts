import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a SortExec needs of its node. */
export interface SortSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly exprs: readonly PhysicalSortExpr[];
  readonly preservePartitioning: boolean;
  readonly fetch: number | null;
  readonly commonSortPrefix: readonly PhysicalSortExpr[];
  readonly dynamicFilter: number | null;
}

export function sortStream(_spec: SortSpec, _partition: number, _context: TaskContext): AsyncIterable<RecordBatch> {
  throw notImplemented('executing SortExec');
}
