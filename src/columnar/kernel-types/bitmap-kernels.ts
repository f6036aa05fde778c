/** Kernels over bitmaps (`kernels/bitmap.ts`, `kernels/count-set-bits.ts`): least significant bit first, as validity. */
export interface BitmapKernels {
  /** How many of the first `bitCount` bits are set. */
  countSetBits(address: number, bitCount: number): number;
  /** Sets the bits [start, start + count) to `value` (0 or 1). */
  fillBits(bitmap: number, start: number, count: number, value: number): void;
  /**
   * Bits `indices[0 … count)` of `from` into bits [toStart, toStart + count) of `to`; `indices` 0 = rows fromStart, fromStart + 1 …
   * Returns how many of them are set.
   */
  gatherBits(from: number, indices: number, fromStart: number, count: number, to: number, toStart: number): number;
  /** `to` = `a` and `b` over `count` bits, by whole 8-byte words. */
  andBits(a: number, b: number, count: number, to: number): void;
  /** Ascending u32 indexes of the set bits among the first `count`; returns how many. */
  setBitIndices(bitmap: number, count: number, to: number): number;
}
