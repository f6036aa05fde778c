import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { JoinType } from '../../expr/join-type.js';
import type { PartitionMode } from '../operators/hash-join-exec.js';
import type { JoinFilter } from '../operators/join-filter.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a HashJoinExec needs of its node. */
export interface HashJoinSpec extends ExecutionPlan {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly on: readonly (readonly [PhysicalExpr, PhysicalExpr])[];
  readonly joinType: JoinType;
  readonly mode: PartitionMode;
  readonly filter: JoinFilter | null;
  /** Positions of `joinSchema` to put out, in that order; null = all. */
  readonly projection: readonly number[] | null;
  readonly joinSchema: Schema;
  readonly nullEqualsNull: boolean;
  readonly nullAware: boolean;
  readonly fetch: number | null;
  readonly dynamicFilter: number | null;
}

export function hashJoinStream(
  _spec: HashJoinSpec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing HashJoinExec');
}
