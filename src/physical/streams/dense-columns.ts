import { invariant } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, type Column } from '../../columnar/column.js';
import { flattenColumn, takeColumn } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { RecordBatch } from '../../columnar/record-batch.js';

/** The columns without the batch's selection; a column that stands more than once is gathered once. */
export function dense(columns: readonly Column[], batch: RecordBatch, scratch: Arena): readonly Column[] {
  if (batch.selection === 0) return columns;
  const gathered = new Map<Column, Column>();
  return columns.map((column) => {
    let found = gathered.get(column);
    if (found === undefined) {
      found = takeColumn(column, batch.selection, batch.numRows, scratch);
      gathered.set(column, found);
    }
    return found;
  });
}

/** Bitmap of the rows for which a boolean column is true and not null. */
export function trueBits(column: Column, scratch: Arena): number {
  const { length } = column;
  const bits = scratch.allocZeroed(bitmapBytes(length));
  if (column.isAllNull || column.layout === 'null') return bits;
  invariant(column.layout === 'bool', 'a filter is boolean');
  const flat = flattenColumn(column, scratch);
  kernels.packBools(flat.values, length, bits);
  if (flat.validity !== 0) kernels.andBits(bits, flat.validity, length, bits);
  // Padding bits stay 0, so that whole words may be read.
  heap.u8.fill(0, bits + Math.ceil(length / 8), bits + bitmapBytes(length));
  return bits;
}
