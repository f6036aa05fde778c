import { limitRows } from './limit-rows.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a GlobalLimitExec needs of its node. */
export interface GlobalLimitSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly skip: number;
  readonly fetch: number | null;
}

/** Rows [skip, skip + fetch) of the single input partition, in input order; stops pulling when they are out. */
export function globalLimitStream(
  spec: GlobalLimitSpec,
  partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  return limitRows(spec, context.execute(spec.input, partition), context, { skip: spec.skip, fetch: spec.fetch });
}
