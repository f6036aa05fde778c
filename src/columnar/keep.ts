import type { Arena } from './arena.js';
import { bitmapBytes, Column, makeDictionary } from './column.js';
import { compact, flattenColumn } from './flatten.js';
import { heap } from './heap.js';
import { kernels } from './kernels.js';
import { layoutWidth } from './layout.js';
import type { RecordBatch } from './record-batch.js';

/** String bytes are copied in pieces of at most this, unless one string is longer. */
const PIECE_BYTES = 1024 * 1024;

/**
 * A compacted copy of the batch that lives in the arena and refers to nothing outside it, string bytes included. The one door for
 * whoever holds rows beyond the pull that gave them (engine rule 1.5).
 *
 * Dictionary columns stay coded over a copy of their dictionary when that is no larger than the rows; else they become flat.
 */
export function keep(batch: RecordBatch, arena: Arena): RecordBatch {
  // A selection's gathered columns are fresh copies in the arena already; only bytes behind views are still the giver's.
  const gathered = batch.selection !== 0;
  const dense = compact(batch, arena);
  const columns = dense.columns.map((column) => keepColumn(column, arena, gathered));
  return dense.withColumns(dense.schema, columns);
}

function keepColumn(column: Column, arena: Arena, gathered: boolean): Column {
  const { type, layout, length } = column;
  if (layout === 'null' || column.isAllNull) return Column.nulls(type, layout, length);
  const width = layoutWidth(layout);
  if (column.encoding === 'constant') {
    const value = arena.alloc(width);
    heap.u8.copyWithin(value, column.values, column.values + width);
    if (layout === 'view') ownBytes(value, 0, 1, value, arena);
    return Column.constant(type, layout, length, value);
  }
  if (column.dictionary !== null && column.dictionary.size <= length) {
    const { size } = column.dictionary;
    const values = arena.alloc(size * width);
    heap.u8.copyWithin(values, column.dictionary.values, column.dictionary.values + size * width);
    if (layout === 'view') ownBytes(values, 0, size, values, arena);
    const codes = gathered ? column.values : copied(column.values, length * 4, arena);
    return Column.dictionary(
      type,
      makeDictionary(layout, values, size),
      length,
      codes,
      keptValidity(column, arena, gathered),
    );
  }
  const isFresh = gathered || column.encoding === 'dictionary';
  const flat = flattenColumn(column, arena);
  const values = isFresh ? flat.values : copied(flat.values, length * width, arena);
  if (layout === 'view') ownBytes(values, flat.validity, length, values, arena);
  return Column.flat(type, layout, length, values, keptValidity(flat, arena, gathered));
}

function copied(address: number, bytes: number, arena: Arena): number {
  const copy = arena.alloc(bytes);
  heap.u8.copyWithin(copy, address, address + bytes);
  return copy;
}

function keptValidity(column: Column, arena: Arena, gathered: boolean): number {
  if (column.validity === 0 || gathered) return column.validity;
  const bytes = (column.length + 7) >>> 3;
  const copy = arena.alloc(bitmapBytes(column.length));
  heap.u8.copyWithin(copy, column.validity, column.validity + bytes);
  return copy;
}

/**
 * Copies the bytes behind `count` views into the arena and writes views of the copies to `to` (may be `views`); null rows become
 * empty strings.
 */
export function ownBytes(views: number, validity: number, count: number, to: number, arena: Arena): void {
  let left = kernels.viewBytes(views, validity, count);
  let row = 0;
  let needed = 0;
  while (row < count) {
    const capacity = Math.min(left, Math.max(PIECE_BYTES, needed));
    const bytes = arena.allocBytes(capacity);
    const next = kernels.copyViews(views, validity, row, count, to, bytes, capacity);
    left -= kernels.viewBytes(to + row * 8, 0, next - row);
    // What stops the kernel is a string longer than the rest of the piece; the next piece holds at least that one.
    needed = next < count ? heap.u32[(views >>> 2) + next * 2 + 1]! : 0;
    row = next;
  }
}
