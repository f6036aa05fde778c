import { Arena } from '../../columnar/arena.js';
import { BatchBuilder, MAX_BATCH_BYTES } from '../../columnar/batch-builder.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { scatterSlot } from '../../columnar/rows/row-columns.js';
import { RowLayout } from '../../columnar/rows/row-layout.js';
import { writeSortKeys } from '../../columnar/rows/row-sorter.js';
import { scratchRows } from '../../columnar/rows/row-store.js';
import type { Schema } from '../../columnar/schema.js';
import type { ExpressionCompiler } from '../../expr/evaluator.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import { closeAll } from '../record-batch-stream.js';
import type { RecordBatchStream } from '../task-context.js';
import { SortColumns } from './sort-columns.js';

const ENTRY_BYTES = 16;

export interface MergeSortedOptions {
  readonly schema: Schema;
  readonly exprs: readonly PhysicalSortExpr[];
  readonly fetch: number | null;
  readonly batchSize: number;
  readonly compiler: ExpressionCompiler;
  readonly memory: MemoryConsumer;
}

/** One input of a merge: its current batch as rows whose strings are the batch's, and a sort entry per row. */
class MergeInput {
  readonly stream: RecordBatchStream;
  readonly #arena: Arena;
  entries = 0;
  numRows = 0;
  bytesPerRow = 1;

  constructor(stream: RecordBatchStream, memory: MemoryConsumer) {
    this.stream = stream;
    this.#arena = new Arena(memory);
  }

  load(batch: RecordBatch, columns: SortColumns, layout: RowLayout, keys: number): void {
    this.#arena.reset();
    const { numRows } = batch;
    const dense = columns.of(batch, this.#arena);
    const { rows } = scratchRows(layout.width, numRows, this.#arena);
    let stringBytes = 0;
    for (const [index, slot] of layout.payload.entries()) {
      scatterSlot(slot, dense[index]!, 0, numRows, rows, { asKey: false, scratch: this.#arena });
      if (slot.layout === 'view') stringBytes += kernels.rowViewBytes(rows, numRows, slot.offset);
    }
    this.entries = this.#arena.alloc(numRows * ENTRY_BYTES);
    kernels.sortEntries(rows, numRows, keys, this.entries);
    this.numRows = numRows;
    this.bytesPerRow = Math.max(1, stringBytes / numRows);
  }

  free(): void {
    this.#arena.free();
  }
}

/**
 * The rows of sorted streams in one order; ties go to the lower input. The output owns its rows: when an input's batch is used up,
 * everything taken from it has been copied out before the input is pulled again (engine rules 1.3, 1.4).
 */
export async function* mergeSorted(
  streams: readonly RecordBatchStream[],
  options: MergeSortedOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const { schema, memory } = options;
  const columns = new SortColumns(schema, options.exprs, options.compiler);
  const layout = new RowLayout([], columns.fields);
  const slots = layout.payload.slice(0, schema.length);
  const fixed = new Arena(memory);
  const output = new Arena(memory);
  const inputs = streams.map((stream) => new MergeInput(stream, memory));
  let remaining = options.fetch ?? Number.POSITIVE_INFINITY;
  try {
    if (remaining === 0) return;
    const keys = writeSortKeys(layout.payload, columns.keys, fixed);
    const keyCount = columns.keys.length;
    const cursors = fixed.alloc(inputs.length * 8);
    const order = fixed.alloc(inputs.length * 4);
    const rows = fixed.alloc(options.batchSize * 4);
    const builder = new BatchBuilder(schema, options.batchSize, output);
    /** Loads the input's next batch that has rows; false at its end. */
    const refill = async (index: number): Promise<boolean> => {
      const input = inputs[index]!;
      while (true) {
        const next = await input.stream.next();
        if (next.done === true) return false;
        if (next.value.numRows === 0) continue;
        input.load(next.value, columns, layout, keys);
        heap.u32[(cursors >>> 2) + index * 2] = input.entries;
        heap.u32[(cursors >>> 2) + index * 2 + 1] = input.entries + input.numRows * ENTRY_BYTES;
        return true;
      }
    };
    let size = 0;
    // All inputs are armed before any is waited for.
    const filled = await Promise.all(inputs.map((_, index) => refill(index)));
    for (const [index, has] of filled.entries()) if (has) heap.u32[(order >>> 2) + size++] = index;
    kernels.mergeStart(cursors, order, size, keys, keyCount);
    while (size > 0) {
      const widest = inputs.reduce((most, input) => Math.max(most, input.bytesPerRow), 1);
      const room = Math.max(1, Math.floor((MAX_BATCH_BYTES - builder.bytes) / widest));
      const limit = Math.min(options.batchSize - builder.numRows, remaining, room);
      const count = kernels.mergeNext(cursors, order, size, keys, keyCount, rows, limit);
      builder.appendSlots(slots, rows, count);
      remaining -= count;
      if (builder.isFull || remaining === 0) {
        yield builder.take();
        if (remaining === 0) return;
        output.reset();
        builder.clear();
      }
      const top = heap.u32[order >>> 2]!;
      if (heap.u32[(cursors >>> 2) + top * 2] !== heap.u32[(cursors >>> 2) + top * 2 + 1]) continue;
      if (!(await refill(top))) {
        size--;
        heap.u32[order >>> 2] = heap.u32[(order >>> 2) + size]!;
      }
      if (size > 0) kernels.mergeSettle(cursors, order, size, keys, keyCount);
    }
    if (builder.numRows > 0) yield builder.take();
  } finally {
    await closeAll(streams);
    for (const input of inputs) input.free();
    fixed.free();
    output.free();
  }
}
