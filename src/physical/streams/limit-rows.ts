import { Arena } from '../../columnar/arena.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { sliceRows } from '../../columnar/slice-rows.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/**
 * Rows [skip, skip + fetch) of a stream, as views; never an empty batch. Ends, and thereby closes the input, as soon as the last row
 * is out: nothing more is read upstream.
 */
export async function* limitRows(
  owner: ExecutionPlan,
  input: AsyncIterable<RecordBatch>,
  context: TaskContext,
  { skip, fetch }: { skip: number; fetch: number | null },
): AsyncGenerator<RecordBatch, void, undefined> {
  if (fetch === 0) return;
  const last = fetch === null ? Number.POSITIVE_INFINITY : skip + fetch;
  const memory = context.memory(owner);
  const arena = new Arena(memory);
  let seen = 0;
  try {
    for await (const batch of input) {
      const start = Math.max(skip - seen, 0);
      const end = Math.min(last - seen, batch.numRows);
      seen += batch.numRows;
      if (start < end) {
        arena.reset();
        yield sliceRows(batch, start, end, arena);
      }
      if (seen >= last) return;
    }
  } finally {
    arena.free();
    memory.release();
  }
}
