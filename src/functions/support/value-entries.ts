import { DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import type { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput } from '../../expr/function.js';

/** One value of a group (kernels/distinct.ts): u32 next entry, u32 group number, 16-byte key. */
const ENTRY_BYTES = 24;
export const KEY_BYTES = 16;
const CHUNK_BYTES = 1024 * 1024;
const MERGE_ROWS = 8192;
/** One allocation of an arena. */
const MAX_STATE_BYTES = 64 * 1024 * 1024 - 64;

interface Chunk {
  readonly address: number;
  readonly capacity: number;
  count: number;
}

/** Room for entries, in chunks that grow to 1 MiB. */
export class EntryChunks {
  readonly #chunks: Chunk[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Address where up to `rows` entries may be appended; `added` says how many were. */
  room(rows: number, arena: Arena): number {
    let last = this.#chunks.at(-1);
    if (last === undefined || last.count + rows > last.capacity) {
      const grown = Math.floor(Math.min(CHUNK_BYTES, this.#count * ENTRY_BYTES) / ENTRY_BYTES);
      const capacity = Math.max(rows, grown);
      last = { address: arena.alloc(capacity * ENTRY_BYTES), capacity, count: 0 };
      this.#chunks.push(last);
    }
    return last.address + last.count * ENTRY_BYTES;
  }

  added(entries: number): void {
    const last = this.#chunks.at(-1);
    if (last !== undefined) last.count += entries;
    this.#count += entries;
  }

  forEach(visit: (address: number, count: number) => void): void {
    for (const { address, count } of this.#chunks) visit(address, count);
  }
}

/** The values that partial states list, as keys with the group row of each, at most MERGE_ROWS at a time. */
export class KeyStream {
  readonly #input: AccumulatorInput;
  readonly #strings: boolean;

  constructor(input: AccumulatorInput, strings: boolean) {
    this.#input = input;
    this.#strings = strings;
  }

  /** String keys come with the view only: their hash is the receiver's. */
  forEach(visit: (keys: number, targets: number, rows: number) => void): void {
    const { args, scratch, groups, numRows, filter } = this.#input;
    const blobs = new ColumnReader(args[0]!);
    const keys = scratch.alloc(MERGE_ROWS * KEY_BYTES);
    const targets = scratch.alloc(MERGE_ROWS * 4);
    let rows = 0;
    for (let row = 0; row < numRows; row++) {
      if (blobs.isNull(row) || (filter !== 0 && !bit(filter, row))) continue;
      let at = blobs.start(row);
      const end = at + blobs.byteLength(row);
      while (at < end) {
        heap.u32[(targets >>> 2) + rows] = heap.u32[(groups >>> 2) + row]!;
        at = this.#readKey(at, keys + rows * KEY_BYTES);
        if (++rows < MERGE_ROWS) continue;
        visit(keys, targets, rows);
        rows = 0;
      }
    }
    if (rows > 0) visit(keys, targets, rows);
  }

  /** Reads one listed value into a key; gives the place after it. */
  #readKey(at: number, key: number): number {
    if (!this.#strings) {
      heap.u8.copyWithin(key, at, at + KEY_BYTES);
      return at + KEY_BYTES;
    }
    const [a, b, c, d] = [heap.u8[at]!, heap.u8[at + 1]!, heap.u8[at + 2]!, heap.u8[at + 3]!];
    const length = a + b * 0x100 + c * 0x10000 + d * 0x1000000;
    heap.u32[(key >>> 2) + 2] = at + 4;
    heap.u32[(key >>> 2) + 3] = length;
    return at + 4 + length;
  }
}

function bit(bitmap: number, row: number): boolean {
  return ((heap.u8[bitmap + (row >>> 3)]! >>> (row & 7)) & 1) === 1;
}

/** The keys of the group whose state is at `state`, in one piece of the arena. */
export function groupValues(state: number, arena: Arena): { readonly address: number; readonly bytes: number } {
  const first = heap.u32[state >>> 2]!;
  const bytes = first === 0 ? 0 : kernels.distinctBytes(first, 0);
  const address = arena.alloc(checked(bytes));
  if (first !== 0) kernels.distinctWrite(first, 0, address);
  return { address, bytes };
}

/** Writes the list of a group's values as row `row` of a binary column. */
export function writeGroupValues(state: number, strings: boolean, row: number, out: ColumnBuilder, arena: Arena): void {
  const first = heap.u32[state >>> 2]!;
  if (first === 0) return;
  const bytes = checked(kernels.distinctBytes(first, strings ? 1 : 0));
  const to = arena.allocBytes(bytes);
  kernels.distinctWrite(first, strings ? 1 : 0, to);
  out.setView(row, to, bytes);
}

function checked(bytes: number): number {
  if (bytes <= MAX_STATE_BYTES) return bytes;
  throw new DistqError(
    'resources_exhausted',
    `the values of one group take ${bytes} bytes, and ${MAX_STATE_BYTES} is the most that an aggregate can pass on`,
    { hint: 'group by more columns, or select the distinct values in a subquery' },
  );
}
