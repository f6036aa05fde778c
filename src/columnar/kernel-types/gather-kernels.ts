type Gather = (values: number, indices: number, count: number, to: number) => void;

/** Kernels that move values (`kernels/gather.ts`). Indices are u32. */
export interface GatherKernels {
  /** `to[i] = values[indices[i]]`, values of as many bits. */
  readonly gather8: Gather;
  readonly gather16: Gather;
  readonly gather32: Gather;
  readonly gather64: Gather;
  readonly gather128: Gather;
  /** Values of the rows `indices` (0 = start, start + 1 …); with `codes` (0 = none) a row's value is `values[codes[row]]`. */
  gatherColumn(
    width: number,
    values: number,
    codes: number,
    indices: number,
    start: number,
    count: number,
    to: number,
  ): void;
  /** As `gatherColumn` for views; null rows become empty ones. */
  gatherViews(
    values: number,
    codes: number,
    validity: number,
    indices: number,
    start: number,
    count: number,
    to: number,
  ): void;
  /** `count` times the value of `width` bytes (1, 2, 4, 8, 16) at `value`. */
  fillValues(value: number, width: number, count: number, to: number): void;
  /** `to[i] = start + i`, u32. */
  iota(start: number, count: number, to: number): void;
  /** Sign-extends `count` i64 values to 16-byte ones. */
  widenTo128(values: number, count: number, to: number): void;
  /** Bytes behind the `count` views that are not null. */
  viewBytes(views: number, validity: number, count: number): number;
  /**
   * Copies the bytes of views [start, count) to `bytes` and writes views of the copies to the same places of `to`. Null rows become
   * empty. Returns the first row whose bytes did not fit into `capacity`, or `count`.
   */
  copyViews(
    views: number,
    validity: number,
    start: number,
    count: number,
    to: number,
    bytes: number,
    capacity: number,
  ): number;
}
