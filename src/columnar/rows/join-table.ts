import { invariant } from '../../base/errors.js';
import { Arena } from '../arena.js';
import { bitmapBytes, type Column } from '../column.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { MemoryConsumer } from '../memory-pool.js';
import { valueAtAddress } from '../value-at.js';
import { hashColumns } from './hash-columns.js';
import { HashDirectory, stateWord, TableState } from './hash-directory.js';
import { keyRows, LARGE_ROWS } from './key-rows.js';
import { KeySet } from './key-set.js';
import { gatherSlot } from './row-columns.js';
import { type RowField, RowLayout, type RowSlot } from './row-layout.js';
import { writeSortKeys } from './row-sorter.js';
import { RowStore } from './row-store.js';

/** Rows put into chains per kernel call. */
const CHAIN_ROWS = 16_384;

// Extra bytes of a row: tag (high 32 bits of the hash), next row of the chain, visited, "has no key".
const EXTRA_BYTES = 16;
const NEXT = 4;
const VISITED = 8;
const KEYLESS = 9;

/** The pairs of one piece of a probe: positions in the probe batch and build rows, u32 each. */
export interface JoinPairs {
  readonly positions: number;
  readonly rows: number;
  readonly count: number;
  /** All pairs of the probe rows before this one are out. */
  readonly nextPosition: number;
}

/**
 * The build side of a hash join: rows with keys and payload, in chains by key. Filled with `append`, closed with the slices of
 * `finish`, then probed. A null in a key matches nothing unless `nullEqualsNull`; such rows are kept all the same, for joins that give
 * out unmatched build rows.
 */
export class JoinTable {
  readonly layout: RowLayout;
  /** Per payload column, where it lies: a key's slot when it is that key. */
  readonly payloadSlots: readonly RowSlot[];
  readonly #store: RowStore;
  readonly #scratch: Arena;
  readonly #consumer: MemoryConsumer | undefined;
  readonly #nullEqualsNull: boolean;
  readonly #ownPayload: readonly number[];
  #directory: HashDirectory | undefined;
  #numKeyless = 0;

  /**
   * `aliases[i]` is the key that payload column i equals bit for bit, or -1. Floats are not aliased, since keys hold them in key form.
   */
  constructor(
    keys: readonly RowField[],
    payload: readonly RowField[],
    aliases: readonly number[],
    { nullEqualsNull, consumer }: { nullEqualsNull: boolean; consumer?: MemoryConsumer },
  ) {
    this.#nullEqualsNull = nullEqualsNull;
    this.#consumer = consumer;
    this.#ownPayload = payload.map((_, index) => index).filter((index) => aliases[index] === -1);
    this.layout = new RowLayout(
      keys,
      this.#ownPayload.map((index) => payload[index]!),
      EXTRA_BYTES,
    );
    this.payloadSlots = payload.map((_, index) => {
      const alias = aliases[index]!;
      return alias >= 0 ? this.layout.keys[alias]! : this.layout.payload[this.#ownPayload.indexOf(index)]!;
    });
    this.#store = new RowStore(this.layout, consumer);
    this.#scratch = new Arena(consumer);
  }

  get numRows(): number {
    return this.#store.numRows;
  }

  /** Rows with a null in a key that matches nothing. */
  get numKeyless(): number {
    return this.#numKeyless;
  }

  get heldBytes(): number {
    return this.#store.heldBytes;
  }

  /** Copies dense columns in. */
  append(keys: readonly Column[], payload: readonly Column[], numRows: number): void {
    if (numRows === 0) return;
    this.#scratch.reset();
    const { layout } = this;
    const hashes = hashColumns(keys, numRows, this.#scratch);
    const rows = this.#store.append(
      keys,
      this.#ownPayload.map((index) => payload[index]!),
      numRows,
      this.#scratch,
    );
    kernels.scatterTags(hashes, rows, numRows, layout.extraOffset);
    const usable = this.#nullEqualsNull ? 0 : validKeys(keys, numRows, this.#scratch);
    if (usable !== 0) {
      const missing = this.#scratch.alloc(numRows * 4);
      let count = 0;
      for (let i = 0; i < numRows; i++) {
        if (((heap.u8[usable + (i >>> 3)]! >>> (i & 7)) & 1) === 1) continue;
        heap.u32[(missing >>> 2) + count++] = heap.u32[(rows >>> 2) + i]!;
      }
      kernels.markRows(missing, count, layout.extraOffset + KEYLESS, 1);
      this.#numKeyless += count;
    }
  }

  /**
   * Chains the rows; each step is one short piece of work, so that the caller can give the event loop its turn in between. Rows of one
   * key end up in the order in which they were appended.
   */
  *finish(): Generator<undefined, void> {
    const { layout } = this;
    this.#directory = new HashDirectory(this.numRows, this.#consumer);
    this.#scratch.reset();
    const state = this.#scratch.allocZeroed(TableState.bytes);
    const rows = this.#scratch.alloc(CHAIN_ROWS * 4);
    for (const chunk of [...this.#store.chunks].reverse()) {
      for (let end = chunk.count; end > 0; end -= CHAIN_ROWS) {
        const start = Math.max(0, end - CHAIN_ROWS);
        // Backwards, since a row that is put in becomes the head of its chain.
        const first = chunk.first + start * layout.width;
        let count = end - start;
        if (this.#numKeyless > 0) {
          count = kernels.markedRows(first, layout.width, count, layout.extraOffset + KEYLESS, 0, rows);
        } else {
          kernels.rowAddresses(first, layout.width, count, rows);
        }
        heap.u32.subarray(rows >>> 2, (rows >>> 2) + count).reverse();
        let done = 0;
        while (
          (done = kernels.chainRows(
            this.#directory.address,
            this.#directory.shift,
            rows,
            done,
            count,
            layout.fixedKeyBytes,
            layout.viewKeys,
            layout.extraOffset,
            layout.extraOffset + NEXT,
            state,
          )) < count
        ) {
          this.#directory.makeRoom(stateWord(state, TableState.piece));
        }
        yield;
      }
    }
    this.#scratch.free();
  }

  /** The head of each probe row's chain, u32 per row (0 = no match), in `scratch`, and how many rows match. Columns are dense. */
  probe(keys: readonly Column[], numRows: number, scratch: Arena): { heads: number; matches: number } {
    invariant(this.#directory !== undefined, 'a join table is finished before it is probed');
    const { layout } = this;
    const heads = scratch.alloc(numRows * 4);
    if (this.numRows === this.#numKeyless) {
      heap.u8.fill(0, heads, heads + numRows * 4);
      return { heads, matches: 0 };
    }
    const usable = this.#nullEqualsNull ? 0 : validKeys(keys, numRows, scratch);
    const hashes = hashColumns(keys, numRows, scratch);
    // A probe row with a null is skipped by `usable`, so the build key need not have room for a null bit.
    const probes = keyRows(layout, keys, numRows, scratch, { skipNulls: usable !== 0 });
    const matches = kernels.probeChains(
      this.#directory.address,
      this.#directory.shift,
      hashes,
      probes,
      layout.fixedKeyBytes,
      layout.viewKeys,
      usable,
      numRows,
      heads,
      this.numRows > LARGE_ROWS ? 1 : 0,
    );
    return { heads, matches };
  }

  /**
   * All pairs behind `heads`, at most `capacity` at a time; the arrays are reused from one piece to the next. With `outer`, rows without
   * a match give one pair with build row 0.
   */
  *pairs(
    heads: number,
    numRows: number,
    capacity: number,
    scratch: Arena,
    outer = false,
  ): Generator<JoinPairs, void, undefined> {
    const cursor = scratch.allocZeroed(8);
    const positions = scratch.alloc(capacity * 4);
    const rows = scratch.alloc(capacity * 4);
    while (heap.u32[cursor >>> 2]! < numRows) {
      const count = kernels.walkChains(
        heads,
        numRows,
        this.layout.extraOffset + NEXT,
        cursor,
        positions,
        rows,
        capacity,
        outer ? 1 : 0,
      );
      // Position that the next piece begins with: rows before it are complete.
      if (count > 0) yield { positions, rows, count, nextPosition: heap.u32[cursor >>> 2]! };
    }
  }

  /** Remembers that these rows found a partner. */
  visit(rows: number, count: number): void {
    kernels.markRows(rows, count, this.layout.extraOffset + VISITED, 1);
  }

  /** Remembers it for whole chains. */
  visitChains(heads: number, numRows: number): void {
    const { extraOffset } = this.layout;
    kernels.visitChains(heads, numRows, extraOffset + NEXT, extraOffset + VISITED);
  }

  /** Treats rows with a null in their key as visited. */
  visitKeyless(scratch: Arena): void {
    const { layout } = this;
    for (const chunk of this.#store.chunks) {
      const rows = scratch.alloc(chunk.count * 4);
      const offset = layout.extraOffset + KEYLESS;
      const count = kernels.markedRows(chunk.first, layout.width, chunk.count, offset, 1, rows);
      this.visit(rows, count);
    }
  }

  /** Addresses of rows with the least and the largest value of key `index`, or undefined when there is none that is not null. */
  keyExtremes(index: number, scratch: Arena): { least: number; largest: number } | undefined {
    const key = writeSortKeys(this.layout.keys, [{ column: index, descending: false, nullsFirst: false }], scratch);
    const state = scratch.allocZeroed(8);
    for (const { first, count } of this.#store.chunks) {
      kernels.rowExtremes(first, this.layout.width, count, key, state);
    }
    const least = heap.u32[state >>> 2]!;
    return least === 0 ? undefined : { least, largest: heap.u32[(state >>> 2) + 1]! };
  }

  /**
   * The values of an integer key (layout i32 or i64) as a set in `arena`, in short pieces of work: the caller can give the event loop its
   * turn in between.
   */
  *keySet(index: number, arena: Arena, scratch: Arena): Generator<undefined, KeySet> {
    const { offset, layout, width, type, nullOffset, nullMask } = this.layout.keys[index]!;
    invariant(layout === 'i32' || layout === 'i64', 'a key set holds integers');
    const found = this.keyExtremes(index, scratch);
    if (found === undefined) return KeySet.EMPTY;
    const valueOf = (row: number): bigint => {
      const value = valueAtAddress(type, layout, row + offset);
      return typeof value === 'bigint' ? value : BigInt(Number(value));
    };
    const set = KeySet.over(valueOf(found.least), valueOf(found.largest), arena);
    if (set.address === 0) return set;
    for (const { first, count } of this.#store.chunks) {
      kernels.addRowKeys(set.address, first, this.layout.width, count, offset, width, nullOffset, nullMask);
      yield;
    }
    return set;
  }

  /** Rows that were (not) visited, as pieces of at most `capacity` row addresses in `scratch`. */
  *visitedRows(visited: boolean, capacity: number, scratch: Arena): Generator<{ rows: number; count: number }, void> {
    const { layout } = this;
    for (const chunk of this.#store.chunks) {
      for (let start = 0; start < chunk.count; start += capacity) {
        const size = Math.min(capacity, chunk.count - start);
        const rows = scratch.alloc(size * 4);
        const count = kernels.markedRows(
          chunk.first + start * layout.width,
          layout.width,
          size,
          layout.extraOffset + VISITED,
          visited ? 1 : 0,
          rows,
        );
        if (count > 0) yield { rows, count };
      }
    }
  }

  /** All rows, as pieces of at most `capacity` row addresses in `scratch`. */
  *allRows(capacity: number, scratch: Arena): Generator<{ rows: number; count: number }, void> {
    for (const chunk of this.#store.chunks) {
      for (let start = 0; start < chunk.count; start += capacity) {
        const count = Math.min(capacity, chunk.count - start);
        yield { rows: RowStore.addresses(chunk, this.layout.width, start, count, scratch), count };
      }
    }
  }

  /** Whether each row was visited, a bool column's values (one byte per row), in `arena`. */
  visitedFlags(rows: number, count: number, arena: Arena): number {
    const flags = arena.alloc(count);
    kernels.gatherRowColumn(1, rows, count, this.layout.extraOffset + VISITED, flags);
    return flags;
  }

  /** Payload column `index` of the rows; row 0 gives null when `mayBeNone`. Strings refer to the table's bytes. */
  payloadColumn(index: number, rows: number, count: number, arena: Arena, mayBeNone: boolean): Column {
    return gatherSlot(this.payloadSlots[index]!, rows, count, arena, { mayBeNone });
  }

  free(): void {
    this.#directory?.free();
    this.#directory = undefined;
    this.#store.free();
    this.#scratch.free();
  }
}

/** Bitmap of the rows in which every key is not null, or 0 when none has a null. */
export function validKeys(keys: readonly Column[], numRows: number, scratch: Arena): number {
  let valid = 0;
  for (const column of keys) {
    if (column.layout !== 'null' && column.validity === 0) continue;
    if (column.encoding === 'constant') return scratch.allocZeroed(bitmapBytes(numRows));
    if (valid === 0) {
      valid = scratch.alloc(bitmapBytes(numRows));
      kernels.gatherBits(column.validity, 0, 0, numRows, valid, 0);
    } else {
      // Word-wise reading past a bitmap's last byte stays inside the padding of its allocation.
      kernels.andBits(valid, column.validity, numRows, valid);
    }
  }
  return valid;
}
