import { invariant } from '../../base/errors.js';
import type { Arena } from '../arena.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';

/** A set over a wider range is not held: 4 MiB of bits. */
const MAX_BITS = 2 ** 25;
const HEADER_BYTES = 64;

/** A key set without its memory, as it goes from process to process. */
export interface KeySetImage {
  /** `least > largest` when the set is empty. */
  readonly least: bigint;
  readonly largest: bigint;
  /** One bit per integer from `least` rounded down to a multiple of 64; null when the range is too wide for it. */
  readonly bitmap: Uint8Array | null;
}

/**
 * The distinct values of an integer key: their range, and, where that is not too wide, one bit per integer in it, so that membership is
 * exact. Lives in an arena that the maker owns.
 */
export class KeySet {
  readonly least: bigint;
  readonly largest: bigint;
  /** Of the set for kernels; 0 when only the range is known. */
  readonly address: number;

  private constructor(least: bigint, largest: bigint, address: number) {
    this.least = least;
    this.largest = largest;
    this.address = address;
  }

  /** A set of nothing. */
  static readonly EMPTY: KeySet = new KeySet(1n, 0n, 0);

  /** A set over this range, still without any key in it; keys are added by kernels. */
  static over(least: bigint, largest: bigint, arena: Arena): KeySet {
    if (least > largest) return KeySet.EMPTY;
    const base = baseOf(least);
    const words = (largest - base) / 64n + 1n;
    if (words * 64n > BigInt(MAX_BITS)) return new KeySet(least, largest, 0);
    const address = arena.allocZeroed(HEADER_BYTES + Number(words) * 8);
    heap.i64[address >>> 3] = base;
    heap.u32[(address >>> 2) + 2] = Number(words) * 64;
    return new KeySet(least, largest, address);
  }

  /** The keys of all parts together. */
  static union(parts: readonly KeySet[], arena: Arena): KeySet {
    const filled = parts.filter((part) => !part.isEmpty);
    const [first] = filled;
    if (first === undefined) return KeySet.EMPTY;
    if (filled.length === 1) return first;
    const least = filled.reduce((value, part) => (part.least < value ? part.least : value), first.least);
    const largest = filled.reduce((value, part) => (part.largest > value ? part.largest : value), first.largest);
    if (filled.some((part) => part.address === 0)) return new KeySet(least, largest, 0);
    const all = KeySet.over(least, largest, arena);
    if (all.address !== 0) for (const part of filled) kernels.uniteKeySets(all.address, part.address);
    return all;
  }

  static fromImage({ least, largest, bitmap }: KeySetImage, arena: Arena): KeySet {
    if (bitmap === null) return least > largest ? KeySet.EMPTY : new KeySet(least, largest, 0);
    const set = KeySet.over(least, largest, arena);
    invariant(set.#bitmap.length === bitmap.length, 'the image of a key set has as many bits as its range');
    set.#bitmap.set(bitmap);
    return set;
  }

  get isEmpty(): boolean {
    return this.least > this.largest;
  }

  /** A copy of the set. */
  image(): KeySetImage {
    return { least: this.least, largest: this.largest, bitmap: this.address === 0 ? null : this.#bitmap.slice() };
  }

  get #bitmap(): Uint8Array {
    const start = this.address + HEADER_BYTES;
    return this.address === 0
      ? new Uint8Array(0)
      : heap.u8.subarray(start, start + heap.u32[(this.address >>> 2) + 2]! / 8);
  }
}

/** Rounded down to a multiple of 64. */
function baseOf(least: bigint): bigint {
  return (least >> 6n) << 6n;
}
