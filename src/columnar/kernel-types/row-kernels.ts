type Scatter<Result> = (
  values: number,
  codes: number,
  validity: number,
  start: number,
  count: number,
  rows: number,
  offset: number,
) => Result;

/**
 * Rows: fixed-width records at the addresses of a u32 vector (`kernels/rows.ts`). Scatter moves column values [start, start + count)
 * into slots of the rows and leaves slots of nulls as they are; gather moves slots into dense columns.
 */
export interface RowKernels {
  scatterColumn(
    width: number,
    values: number,
    codes: number,
    validity: number,
    start: number,
    count: number,
    rows: number,
    offset: number,
  ): void;
  /** Floats in key form: one NaN, no −0. */
  readonly scatterF64Key: Scatter<void>;
  readonly scatterF32Key: Scatter<void>;
  /** i64 values into 16-byte slots. */
  readonly scatterWidened: Scatter<void>;
  /** 16-byte values into i64 slots; the first position that does not fit, or `count`. */
  readonly scatterNarrowed: Scatter<number>;
  /** Sets `mask` in the byte at `offset` of rows whose value is not null. */
  scatterValidity(validity: number, start: number, count: number, rows: number, offset: number, mask: number): void;
  /** Row address 0 gives garbage. */
  gatherRowColumn(width: number, rows: number, count: number, offset: number, to: number): void;
  /** Row 0 and nulls (`mask` not 0) give an empty view. */
  gatherRowViews(rows: number, count: number, offset: number, nullOffset: number, mask: number, to: number): void;
  /** Bits [start, start + count) of `to`; row 0 is null, `mask` 0 = no row is. Returns how many are valid. */
  gatherRowValidity(rows: number, count: number, nullOffset: number, mask: number, to: number, start: number): number;
  /** Bytes behind the views at `offset` of the rows. */
  rowViewBytes(rows: number, count: number, offset: number): number;
  /** Copies string bytes and points the rows' views at the copies; the first row that did not fit `capacity`, or `count`. */
  ownRowViews(rows: number, start: number, count: number, offset: number, bytes: number, capacity: number): number;
  /** Addresses of rows that follow one another. */
  rowAddresses(first: number, width: number, count: number, to: number): void;
  /** The high half of each hash (u64) into its row. */
  scatterTags(hashes: number, rows: number, count: number, offset: number): void;
  /** The u32 at `offset` of each row, 0 for row 0. */
  gatherRowWords(rows: number, count: number, offset: number, to: number): void;
  /** Stores the byte at `offset` of every row but row 0. */
  markRows(rows: number, count: number, offset: number, value: number): void;
  /** Of rows that follow one another, those whose byte at `offset` is (not) 0; returns how many. */
  markedRows(first: number, width: number, count: number, offset: number, wanted: number, to: number): number;
  /** Copies rows one after the other. */
  copyRows(rows: number, count: number, width: number, to: number): void;
}
