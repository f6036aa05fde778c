import { invariant } from '../base/errors.js';

/** Smallest block handed out. */
export const BLOCK_BYTES: number = 16 * 1024;
/** Largest block handed out: nothing asks for more in one piece, bigger things are lists of pieces. */
export const MAX_BLOCK_BYTES: number = 64 * 1024 * 1024;
const MAX_ORDER = Math.log2(MAX_BLOCK_BYTES / BLOCK_BYTES);
/** Blocks of this size and more are taken from the top, so that small ones do not fragment their space. */
const LARGE_ORDER = Math.log2((1024 * 1024) / BLOCK_BYTES);

/**
 * Buddy allocator over an address range: blocks of 16 KiB · 2^order, order 0 … 12 (64 MiB), naturally aligned.
 * Small blocks come from the bottom and large ones from the top; freed buddies merge.
 * Bookkeeping lies outside the range. Fully deterministic.
 */
export class BlockAllocator {
  readonly #start: number;
  readonly #end: number;
  /** Per order: one byte per block, 1 = free. */
  readonly #free: Uint8Array[] = [];
  readonly #freeCount: number[] = [];
  /** Per order: no free block lies below / above these indexes. */
  readonly #lowest: number[] = [];
  readonly #highest: number[] = [];
  /** Order of the allocated block that starts at a 16 KiB unit, plus 1; 0 = no block starts here. */
  readonly #allocated: Uint8Array;
  readonly #recent: number[][] = [];
  readonly #hotReuse: boolean;
  #usedBytes = 0;

  /** `start` and `end` are multiples of 16 KiB. `hotReuse` hands the most recently freed block out first (a debug mode). */
  constructor({ start, end, hotReuse = false }: { start: number; end: number; hotReuse?: boolean }) {
    invariant(start % BLOCK_BYTES === 0 && end % BLOCK_BYTES === 0 && start < end, 'unaligned heap range');
    this.#start = start;
    this.#end = end;
    this.#hotReuse = hotReuse;
    const units = end / BLOCK_BYTES;
    this.#allocated = new Uint8Array(units);
    for (let order = 0; order <= MAX_ORDER; order++) {
      this.#free.push(new Uint8Array(Math.ceil(units / 2 ** order)));
      this.#freeCount.push(0);
      this.#lowest.push(0);
      this.#highest.push(0);
      this.#recent.push([]);
    }
    this.#addRange(start / BLOCK_BYTES, units);
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get capacityBytes(): number {
    return this.#end - this.#start;
  }

  /** Address of a block of at least `bytes`, or 0 when there is none. `bytes` ≤ 64 MiB. */
  allocate(bytes: number): number {
    const order = orderFor(bytes);
    const fromTop = order >= LARGE_ORDER;
    let found = order;
    while (found <= MAX_ORDER && this.#freeCount[found] === 0) found++;
    if (found > MAX_ORDER) return 0;
    let index = this.#take(found, fromTop);
    while (found > order) {
      found--;
      index *= 2;
      const keepIndex = fromTop ? index + 1 : index;
      this.#put(found, fromTop ? index : index + 1);
      index = keepIndex;
    }
    const unit = index * 2 ** order;
    this.#allocated[unit] = order + 1;
    this.#usedBytes += BLOCK_BYTES * 2 ** order;
    return unit * BLOCK_BYTES;
  }

  /** Bytes of the block at `address`. */
  blockBytes(address: number): number {
    const mark = this.#allocated[address / BLOCK_BYTES] ?? 0;
    invariant(mark > 0, `no block at address ${address}`);
    return BLOCK_BYTES * 2 ** (mark - 1);
  }

  release(address: number): void {
    const unit = address / BLOCK_BYTES;
    let order = (this.#allocated[unit] ?? 0) - 1;
    invariant(order >= 0, `release of address ${address}, which is no block`);
    this.#allocated[unit] = 0;
    this.#usedBytes -= BLOCK_BYTES * 2 ** order;
    let index = unit / 2 ** order;
    while (order < MAX_ORDER && !this.#hotReuse) {
      const buddy = index ^ 1;
      const free = this.#free[order]!;
      if (free[buddy] !== 1) break;
      free[buddy] = 0;
      this.#freeCount[order]!--;
      index >>>= 1;
      order++;
    }
    this.#put(order, index);
  }

  #addRange(from: number, to: number): void {
    let unit = from;
    while (unit < to) {
      let order = MAX_ORDER;
      while (unit % 2 ** order !== 0 || unit + 2 ** order > to) order--;
      this.#put(order, unit / 2 ** order);
      unit += 2 ** order;
    }
  }

  #put(order: number, index: number): void {
    this.#free[order]![index] = 1;
    this.#freeCount[order]!++;
    if (index < this.#lowest[order]!) this.#lowest[order] = index;
    if (index > this.#highest[order]!) this.#highest[order] = index;
    if (this.#hotReuse) this.#recent[order]!.push(index);
  }

  #take(order: number, fromTop: boolean): number {
    const free = this.#free[order]!;
    let index = -1;
    const recent = this.#recent[order]!;
    while (this.#hotReuse && recent.length > 0 && index < 0) {
      const candidate = recent.pop()!;
      if (free[candidate] === 1) index = candidate;
    }
    if (index < 0 && fromTop) {
      index = free.lastIndexOf(1, this.#highest[order]);
      this.#highest[order] = index;
    } else if (index < 0) {
      index = free.indexOf(1, this.#lowest[order]);
      this.#lowest[order] = index;
    }
    invariant(index >= 0, 'free list out of step');
    free[index] = 0;
    this.#freeCount[order]!--;
    return index;
  }
}

function orderFor(bytes: number): number {
  invariant(bytes > 0 && bytes <= MAX_BLOCK_BYTES, `a block of ${bytes} bytes`);
  let order = 0;
  while (BLOCK_BYTES * 2 ** order < bytes) order++;
  return order;
}
