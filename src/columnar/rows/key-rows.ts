import type { Arena } from '../arena.js';
import type { Column } from '../column.js';
import { scatterSlot } from './row-columns.js';
import type { RowLayout } from './row-layout.js';
import { scratchRows } from './row-store.js';

/** Rows from which a table is looked up block by block: its slots and rows are more than the caches hold. */
export const LARGE_ROWS = 16_384;

/**
 * Keys of a batch in the form in which rows begin with them: address of `numRows` times `layout.keyBytes` bytes. A single 8-byte
 * integer key that has no nulls is in that form already.
 */
export function keyRows(
  layout: RowLayout,
  columns: readonly Column[],
  numRows: number,
  scratch: Arena,
  { skipNulls = false }: { skipNulls?: boolean } = {},
): number {
  const [column] = columns;
  const [slot] = layout.keys;
  if (column !== undefined && slot !== undefined && layout.keyBytes === 8 && columns.length === 1) {
    const isInteger = slot.layout === 'i64' || slot.layout === 'u64';
    const mayHaveNulls = column.validity !== 0 && !skipNulls;
    if (isInteger && column.layout === slot.layout && column.encoding === 'flat' && !mayHaveNulls) return column.values;
  }
  const { first, rows } = scratchRows(Math.max(8, layout.keyBytes), numRows, scratch);
  for (const [index, keySlot] of layout.keys.entries()) {
    scatterSlot(keySlot, columns[index]!, 0, numRows, rows, { asKey: true, scratch, skipNulls });
  }
  return first;
}
