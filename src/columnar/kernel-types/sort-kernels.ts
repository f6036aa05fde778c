/** Sorting and merging of rows (`kernels/sort.ts`): entries of 16 bytes, key descriptors of 16 bytes. */
export interface SortKernels {
  /** Order of two rows: negative, 0, positive. */
  compareRows(a: number, b: number, keys: number, keyCount: number): number;
  sortEntries(rows: number, count: number, keys: number, entries: number): void;
  /** Sorts in place, stably; `scratch` has room for as many entries. */
  sortRun(entries: number, count: number, keys: number, keyCount: number, scratch: number): void;
  mergeStart(cursors: number, heap: number, size: number, keys: number, keyCount: number): void;
  mergeNext(
    cursors: number,
    heap: number,
    size: number,
    keys: number,
    keyCount: number,
    rows: number,
    capacity: number,
  ): number;
  mergeSettle(cursors: number, heap: number, size: number, keys: number, keyCount: number): void;
  /** Positions of entries that come before `bound` or, with `orEqual` 1, not after it, ascending; returns how many. */
  entriesBefore(
    entries: number,
    count: number,
    bound: number,
    orEqual: number,
    keys: number,
    keyCount: number,
    positions: number,
  ): number;
  /** Rows with the least and the largest value of a key; `state`: u32 least, u32 largest, 0 = none yet. */
  rowExtremes(first: number, width: number, count: number, key: number, state: number): void;
}
