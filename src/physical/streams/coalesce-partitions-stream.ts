import { limitRows } from './limit-rows.js';
import { mergeStreams } from './merge-streams.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a CoalescePartitionsExec needs of its node. */
export interface CoalescePartitionsSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly fetch: number | null;
}

/** All input partitions as one, in arrival order; views are passed on. */
export function coalescePartitionsStream(
  spec: CoalescePartitionsSpec,
  _partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  return coalesce(spec, context);
}

async function* coalesce(
  spec: CoalescePartitionsSpec,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const count = spec.input.properties.partitioning.count;
  const inputs = Array.from({ length: count }, (_, index) => context.execute(spec.input, index));
  const [only] = inputs;
  const merged = inputs.length === 1 && only !== undefined ? only : mergeStreams(inputs);
  yield* spec.fetch === null ? merged : limitRows(spec, merged, context, { skip: 0, fetch: spec.fetch });
}
