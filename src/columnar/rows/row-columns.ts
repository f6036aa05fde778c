import { DistqError } from '../../base/errors.js';
import type { Arena } from '../arena.js';
import { bitmapBytes, Column } from '../column.js';
import { typeName } from '../data-type.js';
import { flattenColumn } from '../flatten.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { RowSlot } from './row-layout.js';

/** String bytes are copied in pieces of at most this, unless one string is longer. */
const PIECE_BYTES = 256 * 1024;

/**
 * Writes rows [start, start + count) of a dense column into `slot` of the rows at the u32 addresses `rows`. Slots and null bytes must
 * be zero before; slots of nulls stay so. `asKey` gives floats their key form; `skipNulls`
 * lets nulls leave zeros in a slot that has no null bit. String slots refer to the column's bytes.
 */
export function scatterSlot(
  slot: RowSlot,
  column: Column,
  start: number,
  count: number,
  rows: number,
  { asKey, scratch, skipNulls = false }: { asKey: boolean; scratch: Arena; skipNulls?: boolean },
): void {
  if (slot.layout === 'null' || column.layout === 'null' || count === 0) return;
  const source = column.encoding === 'constant' ? flattenColumn(column, scratch) : column;
  const values = source.dictionary === null ? source.values : source.dictionary.values;
  const codes = source.dictionary === null ? 0 : source.values;
  const { validity } = source;
  if (slot.nullMask !== 0) kernels.scatterValidity(validity, start, count, rows, slot.nullOffset, slot.nullMask);
  else if (validity !== 0 && !skipNulls) requireValid(source, slot);
  if (source.layout === slot.layout) {
    if (asKey && slot.layout === 'f64') kernels.scatterF64Key(values, codes, validity, start, count, rows, slot.offset);
    else if (asKey && slot.layout === 'f32') {
      kernels.scatterF32Key(values, codes, validity, start, count, rows, slot.offset);
    } else kernels.scatterColumn(slot.width, values, codes, validity, start, count, rows, slot.offset);
  } else if (source.layout === 'i64' && slot.layout === 'i128') {
    kernels.scatterWidened(values, codes, validity, start, count, rows, slot.offset);
  } else if (source.layout === 'i128' && slot.layout === 'i64') {
    if (kernels.scatterNarrowed(values, codes, validity, start, count, rows, slot.offset) !== count) {
      throw new DistqError('execution', `a decimal has more digits than its type ${typeName(slot.type)} allows`);
    }
  } else {
    throw new DistqError('internal', `a ${source.layout} column for a ${slot.layout} slot of ${typeName(slot.type)}`);
  }
}

function requireValid(column: Column, slot: RowSlot): void {
  if (kernels.countSetBits(column.validity, column.length) === column.length) return;
  throw new DistqError('internal', `a null in a ${typeName(slot.type)} column that was declared not null`);
}

/** Copies the bytes behind a string slot of the rows into the arena. */
export function ownSlot(slot: RowSlot, rows: number, count: number, arena: Arena): void {
  if (slot.layout !== 'view') return;
  let left = kernels.rowViewBytes(rows, count, slot.offset);
  let row = 0;
  let needed = 0;
  while (row < count) {
    const capacity = Math.min(left, Math.max(PIECE_BYTES, needed));
    const bytes = arena.allocBytes(capacity);
    const next = kernels.ownRowViews(rows, row, count, slot.offset, bytes, capacity);
    left -= kernels.rowViewBytes(rows + row * 4, next - row, slot.offset);
    needed = next < count ? heap.u32[(heap.u32[(rows >>> 2) + next]! + slot.offset + 4) >>> 2]! : 0;
    row = next;
  }
}

/**
 * The slot's values of `count` rows as a dense flat column in the arena. A row address of 0 gives null (`mayBeNone`). String views
 * refer to the rows' bytes.
 */
export function gatherSlot(
  slot: RowSlot,
  rows: number,
  count: number,
  arena: Arena,
  { mayBeNone = false }: { mayBeNone?: boolean } = {},
): Column {
  if (slot.layout === 'null') return Column.nulls(slot.type, 'null', count);
  let validity = 0;
  if (slot.nullMask !== 0 || mayBeNone) {
    validity = arena.alloc(bitmapBytes(count));
    const valid = kernels.gatherRowValidity(rows, count, slot.nullOffset, slot.nullMask, validity, 0);
    if (valid === count) validity = 0;
  }
  const values = arena.alloc(count * slot.width);
  if (slot.layout === 'view' && validity !== 0) {
    kernels.gatherRowViews(rows, count, slot.offset, slot.nullOffset, slot.nullMask, values);
  } else {
    kernels.gatherRowColumn(slot.width, rows, count, slot.offset, values);
  }
  return Column.flat(slot.type, slot.layout, count, values, validity);
}
