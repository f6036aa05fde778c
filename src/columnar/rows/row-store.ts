import { Arena } from '../arena.js';
import type { Column } from '../column.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { MemoryConsumer } from '../memory-pool.js';
import { ownSlot, scatterSlot } from './row-columns.js';
import type { RowLayout } from './row-layout.js';

/** Rows that follow one another in memory. */
export interface RowChunk {
  readonly first: number;
  readonly count: number;
}

const MAX_CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Rows of one layout, kept: values and string bytes are copied into an arena of the store's own. Rows never move.
 */
export class RowStore {
  readonly layout: RowLayout;
  readonly #arena: Arena;
  readonly #chunks: { first: number; count: number }[] = [];
  #numRows = 0;

  constructor(layout: RowLayout, consumer?: MemoryConsumer) {
    this.layout = layout;
    this.#arena = new Arena(consumer);
  }

  get numRows(): number {
    return this.#numRows;
  }

  get heldBytes(): number {
    return this.#arena.heldBytes;
  }

  get chunks(): readonly RowChunk[] {
    return this.#chunks;
  }

  /**
   * Copies dense columns (as many as the layout has keys and payload) in; extra bytes are zero. Returns the addresses of the new rows,
   * u32 per row, in `scratch`.
   */
  append(keys: readonly Column[], payload: readonly Column[], numRows: number, scratch: Arena): number {
    const { layout } = this;
    const rows = scratch.alloc(numRows * 4);
    const perChunk = Math.max(1, Math.floor(MAX_CHUNK_BYTES / layout.width));
    for (let start = 0; start < numRows; start += perChunk) {
      const count = Math.min(perChunk, numRows - start);
      const first = this.#arena.allocZeroed(count * layout.width);
      this.#chunks.push({ first, count });
      kernels.rowAddresses(first, layout.width, count, rows + start * 4);
    }
    for (const [index, slot] of layout.keys.entries()) {
      scatterSlot(slot, keys[index]!, 0, numRows, rows, { asKey: true, scratch });
      ownSlot(slot, rows, numRows, this.#arena);
    }
    for (const [index, slot] of layout.payload.entries()) {
      scatterSlot(slot, payload[index]!, 0, numRows, rows, { asKey: false, scratch });
      ownSlot(slot, rows, numRows, this.#arena);
    }
    this.#numRows += numRows;
    return rows;
  }

  /** Copies rows of another store of the same layout in, string bytes included; returns the new addresses, in `scratch`. */
  copyFrom(rows: number, count: number, scratch: Arena): number {
    const { layout } = this;
    const copies = scratch.alloc(count * 4);
    const perChunk = Math.max(1, Math.floor(MAX_CHUNK_BYTES / layout.width));
    for (let start = 0; start < count; start += perChunk) {
      const size = Math.min(perChunk, count - start);
      const first = this.#arena.alloc(size * layout.width);
      kernels.copyRows(rows + start * 4, size, layout.width, first);
      this.#chunks.push({ first, count: size });
      kernels.rowAddresses(first, layout.width, size, copies + start * 4);
    }
    for (const slot of [...layout.keys, ...layout.payload]) ownSlot(slot, copies, count, this.#arena);
    this.#numRows += count;
    return copies;
  }

  /** Addresses of up to `limit` rows of a chunk from `start` on; in `scratch`. */
  static addresses(chunk: RowChunk, width: number, start: number, count: number, scratch: Arena): number {
    const rows = scratch.alloc(count * 4);
    kernels.rowAddresses(chunk.first + start * width, width, count, rows);
    return rows;
  }

  free(): void {
    this.#arena.free();
    this.#chunks.length = 0;
    this.#numRows = 0;
  }
}

/** Zeroed scratch rows that follow one another, for keys that are only looked up; returns (first row, row addresses). */
export function scratchRows(width: number, count: number, scratch: Arena): { first: number; rows: number } {
  const first = scratch.alloc(count * width);
  heap.u8.fill(0, first, first + count * width);
  const rows = scratch.alloc(count * 4);
  kernels.rowAddresses(first, width, count, rows);
  return { first, rows };
}
