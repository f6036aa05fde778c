import type { Arena } from './arena.js';
import { heap } from './heap.js';
import { RecordBatch } from './record-batch.js';

/**
 * Selected rows [from, to) of a batch as a view: a shorter selection, a slice of the columns, or, where a validity bitmap cannot be
 * cut there, a selection made in `arena`. The whole batch comes back as it is.
 */
export function sliceRows(batch: RecordBatch, from: number, to: number, arena: Arena): RecordBatch {
  const rows = to - from;
  if (rows === batch.numRows) return batch;
  if (batch.selection !== 0) return batch.withSelection(batch.selection + from * 4, rows);
  if (from % 8 === 0) {
    return new RecordBatch(
      batch.schema,
      batch.columns.map((column) => column.slice(from, rows)),
      rows,
    );
  }
  const selection = arena.alloc(rows * 4);
  const first = selection >>> 2;
  for (let i = 0; i < rows; i++) heap.u32[first + i] = from + i;
  return batch.withSelection(selection, rows);
}
