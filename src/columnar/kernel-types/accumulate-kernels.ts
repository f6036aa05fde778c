import type { Layout } from '../layout.js';

/** Numbers by which `accumulateExtreme` and `distinctKeys` know a layout. */
export const LAYOUT_CODES: Readonly<Partial<Record<Layout, number>>> = {
  i8: 0,
  bool: 1,
  u8: 1,
  i16: 2,
  u16: 3,
  i32: 4,
  u32: 5,
  i64: 6,
  u64: 7,
  f32: 8,
  f64: 9,
  i128: 10,
  view: 11,
  interval: 10,
};

/**
 * Kernels over aggregate state in group rows (`kernels/accumulate.ts`, `kernels/extremes.ts`). `groups`: u32 row addresses, one per
 * input row; state lies at row + `offset`. `mask`: 0, or a bitmap of the rows that count. Values are flat.
 */
export interface AccumulateKernels {
  /** State: i64 count. */
  accumulateCount(groups: number, count: number, offset: number, mask: number): void;
  accumulateCounts(groups: number, count: number, offset: number, values: number, mask: number): void;
  /** State: u64 low, i64 high, i64 rows seen. */
  accumulateSumI64(groups: number, count: number, offset: number, values: number, mask: number): void;
  accumulateSumU64(groups: number, count: number, offset: number, values: number, mask: number): void;
  /** `seen`: 0 or i64 row counts behind each value. Returns 1 when a sum left 128 bits. */
  accumulateSumI128(groups: number, count: number, offset: number, values: number, seen: number, mask: number): number;
  /** State: f64 sum, f64 correction, i64 rows seen. */
  accumulateSumF64(groups: number, count: number, offset: number, values: number, mask: number): void;
  mergeSumF64(
    groups: number,
    count: number,
    offset: number,
    sums: number,
    corrections: number,
    seen: number,
    mask: number,
  ): void;
  /** Low 64 bits of integer sums. Bit 0 of the result: a group saw no rows; bit 1: a sum does not fit. */
  finishSumI64(groups: number, count: number, offset: number, to: number, validity: number): number;
  /** `width` is 8 or 16. */
  gatherState(groups: number, count: number, offset: number, width: number, to: number): void;
  /** The low `width` (1, 2, 4) bytes of 8-byte values. */
  narrowValues(values: number, count: number, width: number, to: number): void;
  /** Low limbs of 16-byte integers; 1 when one does not fit 64 signed bits. */
  narrow128(values: number, count: number, to: number): number;
  /** Bits: whether the i64 at `offset` is not 0; returns how many are. */
  gatherSeen(groups: number, count: number, offset: number, validity: number): number;
  /** sum × power ÷ rows, truncated, as i64; row numbers that need wider arithmetic go to `slow`, their number is returned. */
  finishAverage(groups: number, count: number, offset: number, power: number, to: number, slow: number): number;
  /** State: i64 count, f64 mean, f64 squared distances. */
  accumulateMoments(groups: number, count: number, offset: number, values: number, mask: number): void;
  mergeMoments(
    groups: number,
    count: number,
    offset: number,
    counts: number,
    means: number,
    squares: number,
    mask: number,
  ): void;
  /** State: value (8 bytes; 16 for i128), i64 seen. `largest`: 1 for max. */
  accumulateExtreme(
    layout: number,
    largest: number,
    groups: number,
    count: number,
    offset: number,
    values: number,
    mask: number,
  ): void;
  /** State: u32 address, length, capacity, flags. Fills `pending` with pairs of u32; returns how many. */
  accumulateExtremeString(
    largest: number,
    groups: number,
    count: number,
    offset: number,
    views: number,
    mask: number,
    pending: number,
  ): number;
  pendingBytes(pending: number, marked: number): number;
  adoptStrings(pending: number, marked: number, to: number): void;
  /** State: six f64 (rows, mean y, mean x, squares y, squares x, products). */
  accumulatePairs(groups: number, count: number, offset: number, ys: number, xs: number, mask: number): void;
  mergePairs(
    groups: number,
    count: number,
    offset: number,
    rows: number,
    meanY: number,
    meanX: number,
    squaresY: number,
    squaresX: number,
    products: number,
    mask: number,
  ): void;
  /** State: i64 bits, i64 rows seen. `operation`: 0 and, 1 or, 2 xor; `keys`: 16-byte keys. */
  accumulateBits(operation: number, groups: number, count: number, offset: number, keys: number, mask: number): void;
  /** State: value (8 or 16 bytes), u32 flags (1 seen, 4 null). `last`: 1 for the last value. */
  accumulateEnd(
    last: number,
    width: number,
    groups: number,
    count: number,
    offset: number,
    values: number,
    nulls: number,
    mask: number,
  ): void;
  /** State and pending list as for `accumulateExtremeString`. */
  accumulateEndString(
    last: number,
    groups: number,
    count: number,
    offset: number,
    views: number,
    nulls: number,
    mask: number,
    pending: number,
  ): number;
}
