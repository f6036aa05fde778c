import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { JoinType } from '../../expr/join-type.js';
import type { JoinFilter } from '../operators/join-filter.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a NestedLoopJoinExec needs of its node. */
export interface NestedLoopJoinSpec extends ExecutionPlan {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly joinType: JoinType;
  readonly filter: JoinFilter | null;
  /** Positions of `joinSchema` to put out, in that order; null = all. */
  readonly projection: readonly number[] | null;
  readonly joinSchema: Schema;
}

export function nestedLoopJoinStream(
  _spec: NestedLoopJoinSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing NestedLoopJoinExec');
}
