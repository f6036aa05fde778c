import { DistqError, invariant } from '../base/errors.js';
import type { Arena } from './arena.js';
import { bitmapBytes, Column } from './column.js';
import type { Field } from './data-type.js';
import { typeName } from './data-type.js';
import { ownBytes } from './keep.js';
import { kernels } from './kernels.js';
import { defaultLayout, type Layout, layoutWidth } from './layout.js';
import { RecordBatch } from './record-batch.js';
import type { RowSlot } from './rows/row-layout.js';
import type { Schema } from './schema.js';
import { heap } from './heap.js';

/** Variable-sized bytes after which a batch counts as full (engine rule 1.9). */
export const MAX_BATCH_BYTES: number = 8 * 1024 * 1024;
const FIRST_ROWS = 256;

/**
 * Gathers rows of many batches into one flat batch that owns everything, string bytes included. `take` gives the rows gathered so far
 * as a batch in the arena; the caller resets the arena (and calls `clear`) when the batch's life is over.
 */
export class BatchBuilder {
  readonly schema: Schema;
  readonly maxRows: number;
  readonly #arena: Arena;
  readonly #columns: ColumnBuilder[];
  #numRows = 0;

  constructor(schema: Schema, maxRows: number, arena: Arena) {
    this.schema = schema;
    this.maxRows = maxRows;
    this.#arena = arena;
    this.#columns = schema.fields.map((f) => new ColumnBuilder(f, maxRows, arena));
  }

  get numRows(): number {
    return this.#numRows;
  }

  get isFull(): boolean {
    return this.#numRows >= this.maxRows || this.bytes >= MAX_BATCH_BYTES;
  }

  /** String bytes gathered. */
  get bytes(): number {
    let bytes = 0;
    for (const column of this.#columns) bytes += column.bytes;
    return bytes;
  }

  /**
   * Copies rows [from, from + count) of the batch's selected rows in; returns how many fitted, 0 when full. A first row always fits.
   */
  append(batch: RecordBatch, from = 0, count: number = batch.numRows - from): number {
    if (batch.selection !== 0) return this.appendRows(batch.columns, batch.selection + from * 4, 0, count);
    return this.appendRows(batch.columns, 0, from, count);
  }

  /** The same for the physical rows `indices[0 … count)`, or start, start + 1 … when `indices` is 0. */
  appendRows(columns: readonly Column[], indices: number, start: number, count: number): number {
    let fitting = Math.min(count, this.maxRows - this.#numRows);
    if (fitting <= 0) return 0;
    const varying = columns.filter((column) => column.layout === 'view');
    if (varying.length > 0) fitting = this.#fitting(varying, indices, start, fitting);
    for (const [index, builder] of this.#columns.entries()) builder.append(columns[index]!, indices, start, fitting);
    this.#numRows += fitting;
    return fitting;
  }

  /** How many of the rows' strings stay within the bytes of a batch; at least 1 into an empty one. */
  #fitting(columns: readonly Column[], indices: number, start: number, count: number): number {
    const free = MAX_BATCH_BYTES - this.bytes;
    let fitting = count;
    while (fitting > 0) {
      let bytes = 0;
      for (const column of columns) bytes += selectedBytes(column, indices, start, fitting, this.#arena);
      if (bytes <= free) return fitting;
      fitting = Math.floor(fitting / 2);
    }
    return this.#numRows === 0 ? 1 : 0;
  }

  /** Copies rows (u32 addresses) in: column i comes from `slots[i]`. Row 0 is a row of nulls. At most `maxRows` in all. */
  appendSlots(slots: readonly RowSlot[], rows: number, count: number): void {
    invariant(this.#numRows + count <= this.maxRows, 'more rows than a batch holds');
    for (const [index, builder] of this.#columns.entries()) builder.appendSlot(slots[index]!, rows, count);
    this.#numRows += count;
  }

  /** The rows gathered so far. Rows appended later do not show in it. */
  take(): RecordBatch {
    return new RecordBatch(
      this.schema,
      this.#columns.map((column) => column.take(this.#numRows)),
      this.#numRows,
    );
  }

  /** Starts over; after the arena was reset. */
  clear(): void {
    this.#numRows = 0;
    for (const column of this.#columns) column.clear();
  }
}

/** Bytes behind the views of some rows. */
function selectedBytes(column: Column, indices: number, start: number, count: number, arena: Arena): number {
  if (column.encoding === 'constant') return column.isAllNull ? 0 : heap.u32[(column.values >>> 2) + 1]! * count;
  if (column.encoding === 'flat' && indices === 0) {
    if (column.validity === 0) return kernels.viewBytes(column.values + start * 8, 0, count);
  }
  const views = arena.alloc(count * 8);
  gatherViewsOf(column, indices, start, count, views);
  return kernels.viewBytes(views, 0, count);
}

function gatherViewsOf(column: Column, indices: number, start: number, count: number, to: number): void {
  const { dictionary } = column;
  const values = dictionary === null ? column.values : dictionary.values;
  kernels.gatherViews(values, dictionary === null ? 0 : column.values, column.validity, indices, start, count, to);
}

class ColumnBuilder {
  readonly #field: Field;
  readonly #maxRows: number;
  readonly #arena: Arena;
  #layout: Layout;
  #values = 0;
  #validity = 0;
  #capacity = 0;
  #count = 0;
  #bytes = 0;

  constructor(field: Field, maxRows: number, arena: Arena) {
    this.#field = field;
    this.#maxRows = maxRows;
    this.#arena = arena;
    this.#layout = defaultLayout(field.type);
  }

  get bytes(): number {
    return this.#bytes;
  }

  append(column: Column, indices: number, start: number, count: number): void {
    if (this.#layout === 'null' || column.layout === 'null') {
      this.#reserve(count);
      this.#appendNulls(count);
      return;
    }
    if (column.layout === 'i128' && this.#layout === 'i64') this.#widen();
    this.#reserve(count);
    const width = layoutWidth(this.#layout);
    const to = this.#values + this.#count * width;
    if (column.isAllNull) {
      heap.u8.fill(0, to, to + count * width);
      this.#appendNulls(count);
      return;
    }
    this.#appendValidity(column, indices, start, count);
    if (column.encoding === 'constant') {
      this.#appendConstant(column, to, count);
    } else if (column.layout === 'view') {
      gatherViewsOf(column, indices, start, count, to);
      this.#own(to, count);
    } else {
      const { dictionary } = column;
      const values = dictionary === null ? column.values : dictionary.values;
      const codes = dictionary === null ? 0 : column.values;
      this.#gather(column.layout, values, codes, indices, start, count, to);
    }
    this.#count += count;
  }

  #gather(
    layout: Layout,
    values: number,
    codes: number,
    indices: number,
    start: number,
    count: number,
    to: number,
  ): void {
    if (layout === this.#layout) {
      kernels.gatherColumn(layoutWidth(layout), values, codes, indices, start, count, to);
      return;
    }
    this.#requireNarrow(layout);
    const narrow = this.#arena.alloc(count * 8);
    kernels.gatherColumn(8, values, codes, indices, start, count, narrow);
    kernels.widenTo128(narrow, count, to);
  }

  /** Only a narrow decimal meets a wide builder. */
  #requireNarrow(layout: Layout): void {
    if (layout === 'i64' && this.#layout === 'i128') return;
    throw new DistqError(
      'internal',
      `a ${layout} column among ${this.#layout} ones of ${typeName(this.#field.type)} ("${this.#field.name}")`,
    );
  }

  #appendConstant(column: Column, to: number, count: number): void {
    if (column.layout === 'view') {
      const one = this.#arena.alloc(8);
      kernels.fillValues(column.values, 8, 1, one);
      ownBytes(one, 0, 1, one, this.#arena);
      kernels.fillValues(one, 8, count, to);
      this.#bytes += heap.u32[(one >>> 2) + 1]!;
    } else if (column.layout === this.#layout) {
      kernels.fillValues(column.values, layoutWidth(this.#layout), count, to);
    } else {
      this.#requireNarrow(column.layout);
      const wide = this.#arena.alloc(16);
      kernels.widenTo128(column.values, 1, wide);
      kernels.fillValues(wide, 16, count, to);
    }
  }

  appendSlot(slot: RowSlot, rows: number, count: number): void {
    if (this.#layout === 'null') {
      this.#reserve(count);
      this.#appendNulls(count);
      return;
    }
    if (slot.layout === 'i128' && this.#layout === 'i64') this.#widen();
    this.#reserve(count);
    const to = this.#values + this.#count * layoutWidth(this.#layout);
    this.#ensureValidity();
    kernels.gatherRowValidity(rows, count, slot.nullOffset, slot.nullMask, this.#validity, this.#count);
    if (slot.layout === 'view') {
      kernels.gatherRowViews(rows, count, slot.offset, slot.nullOffset, slot.nullMask, to);
      this.#own(to, count);
    } else if (slot.layout === this.#layout) {
      kernels.gatherRowColumn(slot.width, rows, count, slot.offset, to);
    } else {
      this.#requireNarrow(slot.layout);
      const narrow = this.#arena.alloc(count * 8);
      kernels.gatherRowColumn(8, rows, count, slot.offset, narrow);
      kernels.widenTo128(narrow, count, to);
    }
    this.#count += count;
  }

  #own(views: number, count: number): void {
    this.#bytes += kernels.viewBytes(views, 0, count);
    ownBytes(views, 0, count, views, this.#arena);
  }

  #appendNulls(count: number): void {
    this.#ensureValidity();
    kernels.fillBits(this.#validity, this.#count, count, 0);
    this.#count += count;
  }

  #appendValidity(column: Column, indices: number, start: number, count: number): void {
    if (column.validity === 0 || column.encoding === 'constant') {
      if (this.#validity !== 0) kernels.fillBits(this.#validity, this.#count, count, 1);
      return;
    }
    this.#ensureValidity();
    kernels.gatherBits(column.validity, indices, start, count, this.#validity, this.#count);
  }

  /** From the first null on there is a bitmap; everything before is valid. */
  #ensureValidity(): void {
    if (this.#validity !== 0) return;
    this.#validity = this.#arena.alloc(bitmapBytes(this.#capacity));
    kernels.fillBits(this.#validity, 0, this.#count, 1);
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#capacity) return;
    let capacity = Math.max(this.#capacity, Math.min(FIRST_ROWS, this.#maxRows));
    while (capacity < needed) capacity = Math.min(capacity * 2, Math.max(this.#maxRows, needed));
    const width = layoutWidth(this.#layout);
    const values = this.#arena.alloc(capacity * width);
    if (this.#count > 0) heap.u8.copyWithin(values, this.#values, this.#values + this.#count * width);
    this.#values = values;
    if (this.#validity !== 0) {
      const validity = this.#arena.alloc(bitmapBytes(capacity));
      heap.u8.copyWithin(validity, this.#validity, this.#validity + bitmapBytes(this.#capacity));
      this.#validity = validity;
    }
    this.#capacity = capacity;
  }

  /** Goes over to 16-byte decimals. */
  #widen(): void {
    const values = this.#arena.alloc(Math.max(1, this.#capacity) * 16);
    if (this.#count > 0) kernels.widenTo128(this.#values, this.#count, values);
    this.#values = values;
    this.#layout = 'i128';
  }

  take(numRows: number): Column {
    const { type } = this.#field;
    if (this.#layout === 'null') return Column.nulls(type, 'null', numRows);
    let validity = this.#validity;
    if (validity !== 0 && kernels.countSetBits(validity, numRows) === numRows) validity = 0;
    return Column.flat(type, this.#layout, numRows, this.#values, validity);
  }

  clear(): void {
    this.#layout = defaultLayout(this.#field.type);
    this.#values = 0;
    this.#validity = 0;
    this.#capacity = 0;
    this.#count = 0;
    this.#bytes = 0;
  }
}
