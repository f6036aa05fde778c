import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a FilterExec needs of its node. */
export interface FilterSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly predicate: PhysicalExpr;
  /** Input positions to put out, in that order; null = all. */
  readonly projection: readonly number[] | null;
  readonly fetch: number | null;
}

export function filterStream(_spec: FilterSpec, _partition: number, _context: TaskContext): AsyncIterable<RecordBatch> {
  throw notImplemented('executing FilterExec');
}
