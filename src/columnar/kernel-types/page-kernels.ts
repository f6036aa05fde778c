/**
 * Kernels that decompress and decode file pages (`kernels/{snappy,lz4,zstd,hybrid,delta,page-values}.ts`). They take addresses with ends and
 * check what they read: damage gives −1, 0 or what the line says, never a trap by itself. They may read up to 64 bytes past the ends given.
 */
export interface PageKernels {
  /** Bytes written, −1 for a damaged block or one of more than `capacity`. May write 64 bytes past the capacity. */
  snappyDecompress(source: number, sourceBytes: number, target: number, capacity: number): number;
  lz4Decompress(source: number, sourceBytes: number, target: number, capacity: number): number;
  /** `workspace` has 160 KiB. */
  zstdDecompress(source: number, sourceBytes: number, target: number, capacity: number, workspace: number): number;

  /** Sets up the 32-byte state of a decoder of RLE / bit-packed runs. `bitWidth` ≤ 32. */
  hybridStart(state: number, source: number, end: number, bitWidth: number): void;
  /** The next `count` values as u32s; returns the largest, −1 for damage. */
  hybridDecode(state: number, count: number, out: number): number;
  /** The next `count` 1-bit values as bits from `start` on; returns how many are set, −1 for damage. */
  hybridDecodeBits(state: number, count: number, bitmap: number, start: number): number;
  /** How many of the next values surely are the same (u32); 0 when that is not known. The value is the state's fifth u32. */
  hybridRepeats(state: number): number;

  /** PLAIN byte arrays as views; returns the address behind them, 0 when one passes `end`. */
  byteArrayViews(source: number, end: number, count: number, to: number): number;
  fixedViews(source: number, width: number, count: number, to: number): void;
  bitsToBytes(source: number, count: number, to: number): void;
  u32ToU8(source: number, count: number, to: number): void;
  readonly i32ToI64: (source: number, count: number, to: number) => void;
  /** 0 when a value does not fit. */
  readonly i32ToI8: (source: number, count: number, to: number) => number;
  readonly i32ToU8: (source: number, count: number, to: number) => number;
  readonly i32ToI16: (source: number, count: number, to: number) => number;
  readonly i32ToU16: (source: number, count: number, to: number) => number;
  readonly int96ToNanos: (source: number, count: number, to: number) => number;
  decimalsToI128(source: number, width: number, count: number, to: number): number;
  decimalsToI64(source: number, width: number, count: number, to: number, scratch: number): number;
  readonly viewedDecimalsToI128: (views: number, count: number, to: number) => number;
  viewedDecimalsToI64(views: number, count: number, to: number, scratch: number): number;
  readonly halfToF32: (source: number, count: number, to: number) => void;
  readonly intervalsToNanos: (source: number, count: number, to: number) => void;
  /** Moves `dense` values at the front of an area to the places whose validity bit is set, zeroes the others. */
  spreadValues(values: number, width: number, validity: number, start: number, count: number, dense: number): void;
  byteStreamMerge(source: number, width: number, count: number, to: number): void;

  /** Values in a DELTA_BINARY_PACKED sequence, −1 for damage. */
  deltaCount(source: number, end: number, scratch: number): number;
  /** Decodes it all as integers of 4 or 8 bytes; returns the address behind it, 0 for damage. */
  deltaDecode(source: number, end: number, width: number, to: number, scratch: number): number;
  sumLengths(lengths: number, count: number): number;
  lengthViews(lengths: number, count: number, source: number, end: number, to: number): number;
  joinPrefixes(prefixes: number, suffixes: number, count: number, bytes: number): number;
}
