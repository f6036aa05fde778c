/** Sets of integers as bitmaps (`kernels/key-set.ts`). `set` is the address of a KeySet; keys are of `width` 4 or 8 bytes, signed. */
export interface KeySetKernels {
  /** Adds keys that rows hold at `offset`; they lie within the set's range. */
  addRowKeys(
    set: number,
    first: number,
    rowWidth: number,
    count: number,
    offset: number,
    width: number,
    nullOffset: number,
    nullMask: number,
  ): void;
  /** Adds another set, whose range lies within. */
  uniteKeySets(set: number, from: number): void;
  /** One byte per value: 1 when it is in the set. */
  keySetFlags(set: number, values: number, width: number, count: number, flags: number): void;
  /** Rows of a selection (0 = the first `count`) with a key in the set, ascending, to `out` (room for one more); returns how many. */
  selectKeys(
    set: number,
    values: number,
    width: number,
    validity: number,
    selection: number,
    count: number,
    out: number,
  ): number;
  /** The same for dictionary codes, by the flags of the dictionary's values. */
  selectFlaggedCodes(
    flags: number,
    codes: number,
    validity: number,
    selection: number,
    count: number,
    out: number,
  ): number;
}
