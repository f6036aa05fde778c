import { Arena } from '../../columnar/arena.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import { RowStore } from '../../columnar/rows/row-store.js';
import type { PhysicalAggregateExpr, PhysicalGroupBy } from '../aggregate-expr.js';
import type { AggregateMode } from '../aggregate-mode.js';
import type { AggregateLimit, OrderingMode } from '../operators/aggregate-exec.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { Aggregation } from './aggregation.js';
import { ExtremeBounds } from './extreme-bounds.js';

/** What the stream of a AggregateExec needs of its node. */
export interface AggregateSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly mode: AggregateMode;
  readonly groupBy: PhysicalGroupBy;
  readonly aggregates: readonly PhysicalAggregateExpr[];
  readonly limit: AggregateLimit | null;
  readonly orderingMode: OrderingMode;
  readonly dynamicFilter: number | null;
}

/**
 * One row per group of an input partition, in the order in which groups first came; so the order of an input sorted by the keys stays.
 * Without keys there is one group, also over no rows.
 */
export async function* aggregateStream(
  spec: AggregateSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const memory = context.memory(spec);
  const scratch = new Arena(memory);
  const aggregation = new Aggregation(spec, context.compiler, memory);
  // Any `count` groups will do when no direction says which.
  const enough = spec.limit?.descending === null ? spec.limit.count : Number.POSITIVE_INFINITY;
  const extremes =
    spec.dynamicFilter === null ? null : new ExtremeBounds(spec.dynamicFilter, spec, aggregation, context);
  try {
    const input = context.execute(spec.input, partition);
    for await (const batch of input) {
      scratch.reset();
      aggregation.consume(batch, scratch);
      extremes?.publish(scratch);
      if (aggregation.table.numGroups >= enough) break;
    }
    const batchSize = context.config.get('execution.batch_size');
    const { table } = aggregation;
    for (const chunk of table.chunks()) {
      for (let start = 0; start < chunk.count; start += batchSize) {
        const count = Math.min(batchSize, chunk.count - start);
        scratch.reset();
        const rows = RowStore.addresses(chunk, table.layout.width, start, count, scratch);
        yield new RecordBatch(spec.schema, aggregation.columns(rows, count, scratch), count);
      }
    }
  } finally {
    aggregation.free();
    scratch.free();
    memory.release();
  }
}
