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
import { EntryChunks, KEY_BYTES, KeyStream, writeGroupValues } from './value-entries.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';

const FIRST_SLOTS = 1024;
/** A table of u32 slots must fit one allocation of the arena (64 MiB less its padding). */
const MAX_SLOTS = 8 * 1024 * 1024;

/** Bytes at the front of a group's state: u32 first entry, u32 group number. */
const HEADER_BYTES = 8;

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
  readonly #chunks = new EntryChunks();
  #table = 0;
  #slots = 0;
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
    new KeyStream(input, this.#strings === 1).forEach((keys, targets, rows) => {
      this.#mergeKeys(keys, targets, rows, input);
    });
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
    const entries = this.#chunks.room(numRows, arena);
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
    this.#chunks.added(added);
    if (this.#strings === 1) {
      const bytes = kernels.distinctStringBytes(entries, added);
      kernels.distinctAdoptStrings(entries, added, arena.allocBytes(bytes));
    }
    this.#inner.update({ ...input, args: [column], stateOffset: stateOffset + HEADER_BYTES, filter: fresh });
  }

  /** Keeps the table at most 70 % full after `rows` more entries. */
  #makeRoom(rows: number, arena: Arena): void {
    let slots = Math.max(this.#slots, FIRST_SLOTS);
    while ((this.#chunks.count + rows) * 10 > slots * 7) slots *= 2;
    if (slots === this.#slots) return;
    if (slots > MAX_SLOTS) {
      throw new DistqError(
        'resources_exhausted',
        `DISTINCT holds ${this.#chunks.count} values of type ${typeName(this.#type)} in one partition, which is the most it can`,
        { hint: 'raise --partitions or --workers, or select the distinct values in a subquery' },
      );
    }
    this.#table = arena.allocZeroed(slots * 4);
    this.#slots = slots;
    this.#chunks.forEach((address, count) => {
      kernels.distinctRehash(this.#table, slots, address, count, this.#strings);
    });
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const out = new ColumnBuilder(BINARY, numRows, arena);
    for (let row = 0; row < numRows; row++) {
      writeGroupValues(heap.u32[(groups >>> 2) + row]! + stateOffset, this.#strings === 1, row, out, arena);
    }
    return [out.finish()];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    return this.#inner.evaluate(groups, numRows, stateOffset + HEADER_BYTES, arena);
  }
}
