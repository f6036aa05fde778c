import { DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column } from '../../columnar/column.js';
import { BINARY, type DataType, isDecimal, typeName } from '../../columnar/data-type.js';
import { flattenColumn, widenDecimal } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { LAYOUT_CODES } from '../../columnar/kernel-types/accumulate-kernels.js';
import { kernels } from '../../columnar/kernels.js';
import { defaultLayout, type Layout, layoutWidth } from '../../columnar/layout.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows } from './accumulator-input.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';

const ENTRY_BYTES = 24;
const KEY_BYTES = 16;
const FIRST_SLOTS = 1024;
/** A table of u32 slots must fit one allocation of the arena (64 MiB less its padding). */
const MAX_SLOTS = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const MERGE_ROWS = 8192;
/** One allocation of an arena. */
const MAX_STATE_BYTES = 64 * 1024 * 1024 - 64;

/** Bytes at the front of a group's state: u32 first entry, u32 group number. */
const HEADER_BYTES = 8;

interface Chunk {
  readonly address: number;
  readonly capacity: number;
  count: number;
}

/**
 * DISTINCT for any aggregate of one argument: a set of (group, value) decides which rows are new, and the inner accumulator sees only
 * those. The partial state is one binary per group that lists its values; nulls never count.
 */
export class DistinctAccumulator implements GroupsAccumulator {
  readonly stateWidth: number;
  readonly #inner: GroupsAccumulator;
  readonly #type: DataType;
  readonly #layout: Layout;
  readonly #strings: number;
  readonly #chunks: Chunk[] = [];
  #table = 0;
  #slots = 0;
  #entries = 0;
  #groupCounter = 0;

  constructor(inner: GroupsAccumulator, argType: DataType) {
    this.#inner = inner;
    this.#type = argType;
    this.#layout = isDecimal(argType) ? 'i128' : defaultLayout(argType);
    this.#strings = this.#layout === 'view' ? 1 : 0;
    this.stateWidth = HEADER_BYTES + inner.stateWidth;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    let flat = flattenColumn(column, input.scratch);
    if (this.#layout === 'i128') flat = widenDecimal(flat, input.scratch);
    const keys = input.scratch.alloc(input.numRows * KEY_BYTES);
    kernels.distinctKeys(LAYOUT_CODES[this.#layout]!, flat.values, input.numRows, keys);
    this.#insert(keys, flat, input, mask);
  }

  merge(input: AccumulatorInput): void {
    const blobs = new ColumnReader(input.args[0]!);
    const { scratch, groups } = input;
    const keys = scratch.alloc(MERGE_ROWS * KEY_BYTES);
    const targets = scratch.alloc(MERGE_ROWS * 4);
    let rows = 0;
    const flush = (): void => {
      if (rows > 0) this.#mergeKeys(keys, targets, rows, input);
      rows = 0;
    };
    for (let row = 0; row < input.numRows; row++) {
      if (blobs.isNull(row) || (input.filter !== 0 && !bit(input.filter, row))) continue;
      let at = blobs.start(row);
      const end = at + blobs.byteLength(row);
      while (at < end) {
        if (rows === MERGE_ROWS) flush();
        const key = keys + rows * KEY_BYTES;
        heap.u32[(targets >>> 2) + rows] = heap.u32[(groups >>> 2) + row]!;
        if (this.#strings === 0) {
          heap.u8.copyWithin(key, at, at + KEY_BYTES);
          at += KEY_BYTES;
        } else {
          const length =
            heap.u8[at]! + heap.u8[at + 1]! * 0x100 + heap.u8[at + 2]! * 0x10000 + heap.u8[at + 3]! * 0x1000000;
          heap.u32[(key >>> 2) + 2] = at + 4;
          heap.u32[(key >>> 2) + 3] = length;
          at += 4 + length;
        }
        rows++;
      }
    }
    flush();
  }

  /** Keys that came over the wire: strings get their hash again, and the inner accumulator its argument column. */
  #mergeKeys(keys: number, targets: number, rows: number, input: AccumulatorInput): void {
    const width = layoutWidth(this.#layout);
    const values = input.scratch.alloc(rows * width);
    kernels.distinctValues(keys, rows, width, this.#strings, values);
    if (this.#strings === 1) kernels.distinctKeys(LAYOUT_CODES.view!, values, rows, keys);
    const column = Column.flat(this.#type, this.#layout, rows, values);
    this.#insert(keys, column, { ...input, numRows: rows, groups: targets, filter: 0 }, 0);
  }

  #insert(keys: number, column: Column, input: AccumulatorInput, mask: number): void {
    const { numRows, groups, stateOffset, scratch, arena } = input;
    if (this.#groupCounter === 0) this.#groupCounter = arena.allocZeroed(8);
    this.#makeRoom(numRows, arena);
    const chunk = this.#chunkFor(numRows, arena);
    const entries = chunk.address + chunk.count * ENTRY_BYTES;
    const fresh = scratch.allocZeroed(bitmapBytes(numRows));
    const added = kernels.distinctInsert(
      this.#table,
      this.#slots,
      entries,
      keys,
      this.#strings,
      groups,
      numRows,
      stateOffset,
      mask,
      fresh,
      this.#groupCounter,
    );
    if (added === 0) return;
    chunk.count += added;
    this.#entries += added;
    if (this.#strings === 1) {
      const bytes = kernels.distinctStringBytes(entries, added);
      kernels.distinctAdoptStrings(entries, added, arena.allocBytes(bytes));
    }
    this.#inner.update({ ...input, args: [column], stateOffset: stateOffset + HEADER_BYTES, filter: fresh });
  }

  #chunkFor(rows: number, arena: Arena): Chunk {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.count + rows <= last.capacity) return last;
    const capacity = Math.max(rows, Math.floor(Math.min(CHUNK_BYTES, this.#entries * ENTRY_BYTES) / ENTRY_BYTES));
    const chunk = { address: arena.alloc(capacity * ENTRY_BYTES), capacity, count: 0 };
    this.#chunks.push(chunk);
    return chunk;
  }

  /** Keeps the table at most 70 % full after `rows` more entries. */
  #makeRoom(rows: number, arena: Arena): void {
    let slots = Math.max(this.#slots, FIRST_SLOTS);
    while ((this.#entries + rows) * 10 > slots * 7) slots *= 2;
    if (slots === this.#slots) return;
    if (slots > MAX_SLOTS) {
      throw new DistqError(
        'resources_exhausted',
        `DISTINCT holds ${this.#entries} values of type ${typeName(this.#type)} in one partition, which is the most it can`,
        { hint: 'raise --partitions or --workers, or select the distinct values in a subquery' },
      );
    }
    this.#table = arena.allocZeroed(slots * 4);
    this.#slots = slots;
    for (const { address, count } of this.#chunks) {
      kernels.distinctRehash(this.#table, slots, address, count, this.#strings);
    }
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const out = new ColumnBuilder(BINARY, numRows, arena);
    for (let row = 0; row < numRows; row++) {
      const state = (heap.u32[(groups >>> 2) + row]! + stateOffset) >>> 2;
      const first = heap.u32[state]!;
      if (first === 0) continue;
      const bytes = kernels.distinctBytes(first, this.#strings);
      if (bytes > MAX_STATE_BYTES) {
        throw new DistqError(
          'resources_exhausted',
          `the distinct values of one group take ${bytes} bytes, and ${MAX_STATE_BYTES} is the most that can be passed on`,
          { hint: 'select the distinct values in a subquery' },
        );
      }
      const to = arena.allocBytes(bytes);
      kernels.distinctWrite(first, this.#strings, to);
      out.setView(row, to, bytes);
    }
    return [out.finish()];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    return this.#inner.evaluate(groups, numRows, stateOffset + HEADER_BYTES, arena);
  }
}

function bit(bitmap: number, row: number): boolean {
  return ((heap.u8[bitmap + (row >>> 3)]! >>> (row & 7)) & 1) === 1;
}
