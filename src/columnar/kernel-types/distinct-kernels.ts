/** Kernels of the set behind DISTINCT aggregates (`kernels/distinct.ts` explains keys, entries and table). */
export interface DistinctKernels {
  distinctKeys(layout: number, values: number, count: number, to: number): void;
  distinctValues(keys: number, count: number, width: number, strings: number, to: number): void;
  distinctInsert(
    table: number,
    slots: number,
    entries: number,
    keys: number,
    strings: number,
    groups: number,
    count: number,
    offset: number,
    mask: number,
    fresh: number,
    groupCounter: number,
  ): number;
  distinctRehash(table: number, slots: number, entries: number, count: number, strings: number): void;
  distinctStringBytes(entries: number, count: number): number;
  distinctAdoptStrings(entries: number, count: number, to: number): void;
  distinctBytes(first: number, strings: number): number;
  distinctWrite(first: number, strings: number, to: number): void;
  /** Appends all counted rows, equal ones too; returns how many. */
  appendValues(entries: number, keys: number, groups: number, count: number, offset: number, mask: number): number;
}
