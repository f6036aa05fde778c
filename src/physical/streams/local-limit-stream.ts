import { limitRows } from './limit-rows.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a LocalLimitExec needs of its node. */
export interface LocalLimitSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly fetch: number;
}

/** The first `fetch` rows of each partition. */
export function localLimitStream(
  spec: LocalLimitSpec,
  partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  return limitRows(spec, context.execute(spec.input, partition), context, { skip: 0, fetch: spec.fetch });
}
