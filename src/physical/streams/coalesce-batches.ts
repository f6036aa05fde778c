import { Arena } from '../../columnar/arena.js';
import { BatchBuilder } from '../../columnar/batch-builder.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/**
 * The same rows in the same order, where small batches are copied together up to the batch size; batches of at least a quarter of it
 * pass through as views. Operators whose output may be much smaller than their input put it through here, so that what stands above does
 * not pay per batch. Batches without rows vanish.
 */
export async function* coalesceBatches(
  owner: ExecutionPlan,
  input: AsyncIterable<RecordBatch>,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const batchSize = context.config.get('execution.batch_size');
  const memory = context.memory(owner, 'output');
  const arena = new Arena(memory);
  let builder: BatchBuilder | undefined;
  try {
    for await (const batch of input) {
      if (batch.numRows === 0) continue;
      if (batch.numRows * 4 >= batchSize) {
        if (builder !== undefined && builder.numRows > 0) {
          yield builder.take();
          builder.clear();
          arena.reset();
        }
        yield batch;
        continue;
      }
      builder ??= new BatchBuilder(batch.schema, batchSize, arena);
      for (let from = 0; from < batch.numRows; ) {
        from += builder.append(batch, from);
        if (from < batch.numRows || builder.isFull) {
          yield builder.take();
          builder.clear();
          arena.reset();
        }
      }
    }
    if (builder !== undefined && builder.numRows > 0) yield builder.take();
  } finally {
    arena.free();
    memory.release();
  }
}
