import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ProjectedExpr } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a ProjectionExec needs of its node. */
export interface ProjectionSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly exprs: readonly ProjectedExpr[];
}

export function projectionStream(
  _spec: ProjectionSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing ProjectionExec');
}
