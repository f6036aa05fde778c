import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { limitRows } from './limit-rows.js';
import { mergeSorted } from './merge-sorted.js';

/** What the stream of a SortPreservingMergeExec needs of its node. */
export interface SortPreservingMergeSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly exprs: readonly PhysicalSortExpr[];
  readonly fetch: number | null;
}

/** All input partitions, each in order, as one in order. */
export async function* sortPreservingMergeStream(
  spec: SortPreservingMergeSpec,
  _partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const count = spec.input.properties.partitioning.count;
  const streams = Array.from({ length: count }, (_, index) => context.execute(spec.input, index));
  const [only] = streams;
  if (only !== undefined && streams.length === 1) {
    yield* spec.fetch === null ? only : limitRows(spec, only, context, { skip: 0, fetch: spec.fetch });
    return;
  }
  const memory = context.memory(spec);
  try {
    yield* mergeSorted(streams, {
      schema: spec.schema,
      exprs: spec.exprs,
      fetch: spec.fetch,
      batchSize: context.config.get('execution.batch_size'),
      compiler: context.compiler,
      memory,
    });
  } finally {
    memory.release();
  }
}
