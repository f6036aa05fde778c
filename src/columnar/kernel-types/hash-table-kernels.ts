/** Hash tables over rows (`kernels/hash-table.ts`); driven by `rows/hash-directory.ts`, which has the shapes. `large`: 1 when the table outgrows the caches. */
export interface HashTableKernels {
  findOrMakeGroups(
    directory: number,
    shift: number,
    hashes: number,
    keys: number,
    fixedBytes: number,
    viewCount: number,
    rowWidth: number,
    start: number,
    count: number,
    groups: number,
    large: number,
    state: number,
  ): number;
  growTable(slots: number, mask: number, toSlots: number, toMask: number): void;
  splitTable(slots: number, mask: number, bit: number, zeros: number, ones: number, toMask: number): number;
  chainRows(
    directory: number,
    shift: number,
    rows: number,
    start: number,
    count: number,
    fixedBytes: number,
    viewCount: number,
    tagOffset: number,
    nextOffset: number,
    state: number,
  ): number;
  probeChains(
    directory: number,
    shift: number,
    hashes: number,
    keys: number,
    fixedBytes: number,
    viewCount: number,
    validity: number,
    count: number,
    heads: number,
    large: number,
  ): number;
  walkChains(
    heads: number,
    count: number,
    nextOffset: number,
    cursor: number,
    positions: number,
    rows: number,
    capacity: number,
    outer: number,
  ): number;
  /** Marks all rows of each chain. */
  visitChains(heads: number, count: number, nextOffset: number, markOffset: number): void;
  headFlags(heads: number, count: number, flags: number): void;
  flagPositions(positions: number, count: number, flags: number): void;
  selectFlags(flags: number, count: number, wanted: number, positions: number): number;
  fillUnmatched(
    positions: number,
    rows: number,
    count: number,
    flags: number,
    from: number,
    to: number,
    toPositions: number,
    toRows: number,
  ): number;
  selectHeads(heads: number, count: number, wanted: number, positions: number, rows: number): number;
  groupsByCode(codes: number, count: number, map: number, groups: number, missing: number): number;
  combineCodes(codes: number, validity: number, count: number, size: number, combined: number, first: number): void;
}
