import { invariant } from '../../base/errors.js';
import { Arena } from '../arena.js';
import type { Column } from '../column.js';
import { takeColumn } from '../flatten.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { MemoryConsumer } from '../memory-pool.js';
import { keyKind } from './key-kind.js';
import { type BoundValue, boundValueAtAddress } from './row-bound.js';
import { gatherSlot, scatterSlot } from './row-columns.js';
import { RowLayout, type RowField, type RowSlot } from './row-layout.js';
import { RowStore, scratchRows } from './row-store.js';

/** One sort key: a column of the rows, its direction and where nulls go. */
export interface RowSortKey {
  readonly column: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Of an entry that the sort kernels order. */
export const ENTRY_BYTES = 16;
/** Entries of a run: sorting one takes a few milliseconds. */
const RUN_ENTRIES = 65_536;

/** Writes the key descriptors of `kernels/sort.ts`; returns their address. */
export function writeSortKeys(slots: readonly RowSlot[], keys: readonly RowSortKey[], arena: Arena): number {
  const address = arena.allocZeroed(Math.max(1, keys.length) * 16);
  for (const [index, key] of keys.entries()) {
    const slot = slots[key.column]!;
    const at = address + index * 16;
    heap.u8[at] = keyKind(slot.layout);
    heap.u8[at + 1] = key.descending ? 1 : 0;
    heap.u8[at + 2] = key.nullsFirst ? 1 : 0;
    heap.u8[at + 3] = slot.nullMask;
    heap.u32[(at >>> 2) + 1] = slot.offset;
    heap.u32[(at >>> 2) + 2] = slot.nullOffset;
  }
  return address;
}

/** Entries of a run that starts small. */
const FIRST_ENTRIES = 1024;
/** The largest `fetch` for which the best rows are cut out as soon as there are enough, so that they make a bound early. */
const EARLY_CUT_ROWS = 8_192;

interface Run {
  address: number;
  capacity: number;
  count: number;
}

/**
 * Sorts rows, or keeps the first `fetch` of the order. Rows are copied in, string bytes too; equal rows come out in the order in which
 * they went in. Work is cut into steps of a few milliseconds.
 */
export class RowSorter {
  readonly layout: RowLayout;
  readonly #consumer: MemoryConsumer | undefined;
  readonly #sortKeys: readonly RowSortKey[];
  readonly #fetch: number | undefined;
  readonly #arena: Arena;
  readonly #scratch: Arena;
  readonly #keys: number;
  #store: RowStore;
  #runs: Run[] = [];
  #bound = 0;
  #boundMoved = false;
  #merge: { cursors: number; heap: number; size: number } | undefined;
  #left = 0;
  #numRows = 0;

  constructor(
    columns: readonly RowField[],
    sortKeys: readonly RowSortKey[],
    { fetch, consumer }: { fetch?: number; consumer?: MemoryConsumer } = {},
  ) {
    this.#consumer = consumer;
    this.#sortKeys = sortKeys;
    this.#fetch = fetch;
    this.layout = new RowLayout([], columns);
    this.#arena = new Arena(consumer);
    this.#scratch = new Arena(consumer);
    this.#keys = writeSortKeys(this.layout.payload, sortKeys, this.#arena);
    this.#store = new RowStore(this.layout, consumer);
  }

  /** Rows held. */
  get numRows(): number {
    return this.#numRows;
  }

  /** Bytes of the rows held, their strings included. */
  get heldBytes(): number {
    return this.#store.heldBytes;
  }

  /** Copies dense columns in; with a `fetch`, only rows that can still be among the first. */
  append(columns: readonly Column[], numRows: number): void {
    invariant(this.#merge === undefined, 'rows are appended before the merge');
    if (this.#fetch === 0 || numRows === 0) return;
    this.#scratch.reset();
    if (this.#bound === 0) {
      this.#appendRows(columns, numRows);
    } else {
      const positions = this.#scratch.alloc(numRows * 4);
      const count = this.#beforeBound(columns, numRows, positions);
      if (count === 0) return;
      const taken = columns.map((column) => takeColumn(column, positions, count, this.#scratch));
      this.#appendRows(taken, count);
    }
    if (this.#fetch !== undefined && this.#numRows >= this.#fetch + this.#rowsBeforeCut(this.#fetch)) this.#cut();
  }

  /** Rows beyond `fetch` that are gathered before the best are cut out: as many again, so that each row is sorted a few times at most. */
  #rowsBeforeCut(fetch: number): number {
    return this.#bound === 0 && fetch <= EARLY_CUT_ROWS ? 0 : fetch;
  }

  /** The keys of the last row that is kept, once `fetch` rows are there; null while they are not or when they are still the same. */
  takeBound(): readonly BoundValue[] | null {
    if (this.#bound === 0 || !this.#boundMoved) return null;
    this.#boundMoved = false;
    const row = heap.u32[(this.#bound >>> 2) + 2]!;
    return this.#sortKeys.map(({ column }) => {
      const { type, layout, offset, nullOffset, nullMask } = this.layout.payload[column]!;
      if (nullMask !== 0 && (heap.u8[row + nullOffset]! & nullMask) === 0) return null;
      return boundValueAtAddress(type, layout, row + offset);
    });
  }

  #appendRows(columns: readonly Column[], numRows: number): void {
    const rows = this.#store.append([], columns, numRows, this.#scratch);
    this.#appendEntries(rows, numRows);
  }

  /** Positions of the rows that come before the bound; only their keys are looked at. */
  #beforeBound(columns: readonly Column[], numRows: number, positions: number): number {
    const { rows } = scratchRows(this.layout.width, numRows, this.#scratch);
    for (const index of new Set(this.#sortKeys.map((key) => key.column))) {
      const slot = this.layout.payload[index]!;
      scatterSlot(slot, columns[index]!, 0, numRows, rows, { asKey: false, scratch: this.#scratch });
    }
    const entries = this.#scratch.alloc(numRows * ENTRY_BYTES);
    kernels.sortEntries(rows, numRows, this.#keys, entries);
    return kernels.entriesBefore(entries, numRows, this.#bound, 0, this.#keys, this.#sortKeys.length, positions);
  }

  #appendEntries(rows: number, count: number): void {
    for (let start = 0; start < count; ) {
      let run = this.#runs.at(-1);
      if (run === undefined || run.count === RUN_ENTRIES) {
        if (run !== undefined) this.#sortRun(run);
        run = { address: this.#allocate(FIRST_ENTRIES), capacity: FIRST_ENTRIES, count: 0 };
        this.#runs.push(run);
      }
      if (run.count === run.capacity) this.#growRun(run);
      const size = Math.min(count - start, run.capacity - run.count);
      kernels.sortEntries(rows + start * 4, size, this.#keys, run.address + run.count * ENTRY_BYTES);
      run.count += size;
      this.#numRows += size;
      start += size;
    }
  }

  #growRun(run: Run): void {
    const address = this.#allocate(run.capacity * 4);
    heap.u8.copyWithin(address, run.address, run.address + run.count * ENTRY_BYTES);
    this.#release(run.address, run.capacity);
    run.address = address;
    run.capacity *= 4;
  }

  #allocate(entries: number): number {
    this.#consumer?.grow(entries * ENTRY_BYTES);
    try {
      return heap.allocateBlock(entries * ENTRY_BYTES);
    } catch (error) {
      this.#consumer?.shrink(entries * ENTRY_BYTES);
      throw error;
    }
  }

  #release(address: number, entries: number): void {
    heap.releaseBlock(address);
    this.#consumer?.shrink(entries * ENTRY_BYTES);
  }

  #sortRun(run: Run): void {
    const scratch = this.#allocate(run.capacity);
    kernels.sortRun(run.address, run.count, this.#keys, this.#sortKeys.length, scratch);
    this.#release(scratch, run.capacity);
  }

  /** Sorts what is there, forgets all but the first `fetch` rows and copies those to a fresh store. */
  #cut(): void {
    const fetch = this.#fetch!;
    const unsorted = this.#runs.at(-1);
    if (unsorted !== undefined) this.#sortRun(unsorted);
    const scratch = new Arena(this.#consumer);
    const old = { store: this.#store, runs: this.#runs };
    this.#runs = [];
    this.#numRows = 0;
    this.#store = new RowStore(this.layout, this.#consumer);
    try {
      this.#startMerge(old.runs, scratch);
      let left = fetch;
      while (left > 0) {
        const { rows, count } = this.#next(Math.min(left, RUN_ENTRIES), scratch);
        if (count === 0) break;
        const copies = this.#store.copyFrom(rows, count, scratch);
        this.#appendEntries(copies, count);
        left -= count;
      }
      const last = this.#runs.at(-1);
      if (left === 0 && last !== undefined) {
        if (this.#bound === 0) this.#bound = this.#arena.alloc(ENTRY_BYTES);
        const from = last.address + (last.count - 1) * ENTRY_BYTES;
        heap.u8.copyWithin(this.#bound, from, from + ENTRY_BYTES);
        this.#boundMoved = true;
      }
    } finally {
      this.#merge = undefined;
      for (const run of old.runs) this.#release(run.address, run.capacity);
      old.store.free();
      scratch.free();
    }
  }

  /** Ends the input. */
  finish(): void {
    const last = this.#runs.at(-1);
    if (last !== undefined) this.#sortRun(last);
    this.#left = Math.min(this.numRows, this.#fetch ?? Infinity);
    this.#startMerge(this.#runs, this.#arena);
  }

  #startMerge(runs: readonly Run[], arena: Arena): void {
    const filled = runs.filter((run) => run.count > 0);
    const cursors = arena.alloc(filled.length * 8);
    const heapAddress = arena.alloc(filled.length * 4);
    for (const [index, run] of filled.entries()) {
      heap.u32[(cursors >>> 2) + index * 2] = run.address;
      heap.u32[(cursors >>> 2) + index * 2 + 1] = run.address + run.count * ENTRY_BYTES;
      heap.u32[(heapAddress >>> 2) + index] = index;
    }
    kernels.mergeStart(cursors, heapAddress, filled.length, this.#keys, this.#sortKeys.length);
    this.#merge = { cursors, heap: heapAddress, size: filled.length };
  }

  #next(limit: number, arena: Arena): { rows: number; count: number } {
    const merge = this.#merge!;
    const rows = arena.alloc(limit * 4);
    let count = 0;
    while (count < limit && merge.size > 0) {
      const { cursors, heap: order, size } = merge;
      count += kernels.mergeNext(
        cursors,
        order,
        size,
        this.#keys,
        this.#sortKeys.length,
        rows + count * 4,
        limit - count,
      );
      const cursor = (cursors >>> 2) + heap.u32[order >>> 2]! * 2;
      if (heap.u32[cursor] !== heap.u32[cursor + 1]) continue;
      merge.size--;
      heap.u32[order >>> 2] = heap.u32[(order >>> 2) + merge.size]!;
      if (merge.size > 0) kernels.mergeSettle(cursors, order, merge.size, this.#keys, this.#sortKeys.length);
    }
    return { rows, count };
  }

  /** The next rows of the order, at most `limit`, as addresses in `arena`; count 0 = all are out. */
  next(limit: number, arena: Arena): { rows: number; count: number } {
    invariant(this.#merge !== undefined, 'rows are read after finish');
    const found = this.#next(Math.min(limit, this.#left), arena);
    this.#left -= found.count;
    return found;
  }

  /** Column `index` of the rows; strings refer to the sorter's bytes, which live until `free`. */
  column(index: number, rows: number, count: number, arena: Arena): Column {
    return gatherSlot(this.layout.payload[index]!, rows, count, arena);
  }

  free(): void {
    for (const run of this.#runs) this.#release(run.address, run.capacity);
    this.#runs = [];
    this.#store.free();
    this.#arena.free();
    this.#scratch.free();
  }
}
