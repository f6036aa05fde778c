import { invariant } from '../../base/errors.js';
import { Arena } from '../arena.js';
import type { Column } from '../column.js';
import { takeColumn } from '../flatten.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { MemoryConsumer } from '../memory-pool.js';
import { hashColumns } from './hash-columns.js';
import { HashDirectory, NEEDS_BYTES, NEEDS_PIECE, NEEDS_ROWS, stateWord, TableState } from './hash-directory.js';
import { keyRows, LARGE_ROWS } from './key-rows.js';
import { gatherSlot } from './row-columns.js';
import { type RowField, RowLayout } from './row-layout.js';
import type { RowChunk } from './row-store.js';

const MIN_CHUNK_BYTES = 4 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** Codes that a map from dictionary codes to groups may have. */
const MAX_MAPPED_CODES = 65_536;
/** Maps over dictionaries that are kept; a stream sees few dictionaries at a time. */
const MAX_MAPS = 8;

/**
 * Finds or makes a row per distinct key (engine rule 7.2: nulls are equal, NaN too, −0 is 0), with `stateBytes` zeroed bytes behind it
 * for the aggregates. Rows never move and are handed out in the order in which their keys first came.
 */
export class GroupTable {
  readonly layout: RowLayout;
  readonly #arena: Arena;
  readonly #directory: HashDirectory;
  readonly #state: number;
  readonly #chunks: { first: number; count: number }[] = [];
  #chunkFirst = 0;
  #chunkBytes = MIN_CHUNK_BYTES;
  #bytesChunk = MIN_CHUNK_BYTES;
  /** Maps from combined dictionary codes to group rows, by the ids of the dictionaries. */
  readonly #maps = new Map<string, number>();

  constructor(keys: readonly RowField[], stateBytes: number, consumer?: MemoryConsumer) {
    this.layout = new RowLayout(keys, [], stateBytes);
    this.#directory = new HashDirectory(0, consumer);
    this.#arena = new Arena(consumer);
    this.#state = this.#arena.allocZeroed(TableState.bytes);
  }

  /** Offset of the state bytes in a group's row. */
  get stateOffset(): number {
    return this.layout.extraOffset;
  }

  get numGroups(): number {
    return stateWord(this.#state, TableState.made);
  }

  /** The group row of each row of these dense key columns: address of u32[numRows] in `scratch`. */
  groups(columns: readonly Column[], numRows: number, scratch: Arena): number {
    invariant(columns.length === this.layout.keys.length, 'one column per key');
    if (numRows === 0) return scratch.alloc(0);
    if (columns.every((column) => column.encoding === 'constant')) {
      const one = this.#find(
        columns.map((column) => column.withLength(1)),
        1,
        scratch,
      );
      const groups = scratch.alloc(numRows * 4);
      kernels.fillValues(one, 4, numRows, groups);
      return groups;
    }
    const codes = combinedCodeCount(columns);
    if (codes !== undefined && codes <= MAX_MAPPED_CODES) {
      const key = columns.map((column) => column.dictionary!.id).join(' ');
      if (this.#maps.has(key) || codes <= numRows * 4) return this.#groupsByCode(columns, numRows, codes, key, scratch);
    }
    return this.#find(columns, numRows, scratch);
  }

  #groupsByCode(columns: readonly Column[], numRows: number, codes: number, key: string, scratch: Arena): number {
    let map = this.#maps.get(key);
    if (map === undefined) {
      if (this.#maps.size >= MAX_MAPS) {
        const [oldest] = this.#maps.keys();
        if (oldest !== undefined) this.#maps.delete(oldest);
      }
      map = this.#arena.allocZeroed(codes * 4);
      this.#maps.set(key, map);
    }
    const combined = scratch.alloc(numRows * 4);
    for (const [index, column] of columns.entries()) {
      const size = column.dictionary!.size + 1;
      kernels.combineCodes(column.values, column.validity, numRows, size, combined, index === 0 ? 1 : 0);
    }
    const groups = scratch.alloc(numRows * 4);
    const missing = scratch.alloc(numRows * 4);
    const missingCount = kernels.groupsByCode(combined, numRows, map, groups, missing);
    if (missingCount > 0) {
      const taken = columns.map((column) => takeColumn(column, missing, missingCount, scratch));
      const found = this.#find(taken, missingCount, scratch);
      for (let i = 0; i < missingCount; i++) {
        const code = heap.u32[(combined >>> 2) + heap.u32[(missing >>> 2) + i]!]!;
        heap.u32[(map >>> 2) + code] = heap.u32[(found >>> 2) + i]!;
      }
      kernels.groupsByCode(combined, numRows, map, groups, missing);
    }
    return groups;
  }

  #find(columns: readonly Column[], numRows: number, scratch: Arena): number {
    const { layout } = this;
    const hashes = hashColumns(columns, numRows, scratch);
    const keys = keyRows(layout, columns, numRows, scratch);
    const groups = scratch.alloc(numRows * 4);
    let done = 0;
    while (true) {
      done = kernels.findOrMakeGroups(
        this.#directory.address,
        this.#directory.shift,
        hashes,
        keys,
        layout.fixedKeyBytes,
        layout.viewKeys,
        layout.width,
        done,
        numRows,
        groups,
        this.numGroups > LARGE_ROWS ? 1 : 0,
        this.#state,
      );
      if (done === numRows) return groups;
      this.#makeRoom(keys + done * layout.keyBytes);
    }
  }

  #makeRoom(key: number): void {
    const { layout } = this;
    const word = this.#state >>> 2;
    switch (stateWord(this.#state, TableState.reason)) {
      case NEEDS_PIECE:
        this.#directory.makeRoom(stateWord(this.#state, TableState.piece));
        return;
      case NEEDS_ROWS: {
        this.#closeChunk();
        const count = Math.max(1, Math.floor(this.#chunkBytes / layout.width));
        this.#chunkFirst = this.#arena.alloc(count * layout.width);
        heap.u32[word + TableState.rowNext] = this.#chunkFirst;
        heap.u32[word + TableState.rowEnd] = this.#chunkFirst + count * layout.width;
        this.#chunkBytes = Math.min(MAX_CHUNK_BYTES, this.#chunkBytes * 2);
        return;
      }
      case NEEDS_BYTES: {
        let needed = 0;
        for (let v = 0; v < layout.viewKeys; v++) needed += heap.u32[(key + layout.fixedKeyBytes + v * 8 + 4) >>> 2]!;
        const bytes = Math.max(this.#bytesChunk, needed);
        const address = this.#arena.allocBytes(bytes);
        heap.u32[word + TableState.bytesNext] = address;
        heap.u32[word + TableState.bytesEnd] = address + bytes;
        this.#bytesChunk = Math.min(MAX_CHUNK_BYTES, this.#bytesChunk * 2);
        return;
      }
      default:
        invariant(false, 'a group kernel stopped without a reason');
    }
  }

  #closeChunk(): void {
    const count = (stateWord(this.#state, TableState.rowNext) - this.#chunkFirst) / this.layout.width;
    if (this.#chunkFirst !== 0 && count > 0) this.#chunks.push({ first: this.#chunkFirst, count });
    this.#chunkFirst = stateWord(this.#state, TableState.rowNext);
  }

  /** All groups in order of appearance, as runs of rows. Groups made later come in a later call. */
  chunks(): readonly RowChunk[] {
    this.#closeChunk();
    return this.#chunks;
  }

  /** Key `index` of `count` groups as a dense column; strings refer to the table's bytes. */
  keyColumn(index: number, rows: number, count: number, arena: Arena): Column {
    return gatherSlot(this.layout.keys[index]!, rows, count, arena);
  }

  free(): void {
    this.#directory.free();
    this.#arena.free();
    this.#maps.clear();
  }
}

/** How many codes the combination of all-dictionary columns has (each with one more for null), or undefined. */
function combinedCodeCount(columns: readonly Column[]): number | undefined {
  let count = 1;
  for (const column of columns) {
    if (column.dictionary === null) return undefined;
    count *= column.dictionary.size + 1;
  }
  return columns.length === 0 ? undefined : count;
}
