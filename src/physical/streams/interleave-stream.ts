import { mergeStreams } from './merge-streams.js';
import { withSchema } from './with-schema.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** What the stream of a InterleaveExec needs of its node. */
export type InterleaveSpec = ExecutionPlan;

/** Partition p of every child, merged in arrival order: the children are hash-partitioned alike. */
export function interleaveStream(
  spec: InterleaveSpec,
  partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  return interleave(spec, partition, context);
}

async function* interleave(
  spec: InterleaveSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  yield* withSchema(mergeStreams(spec.children.map((child) => context.execute(child, partition))), spec.schema);
}
