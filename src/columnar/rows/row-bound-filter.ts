import type { Arena } from '../arena.js';
import type { Column } from '../column.js';
import type { DataType } from '../data-type.js';
import { takeColumn } from '../flatten.js';
import { columnFromValues } from '../from-values.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { RowBound } from './row-bound.js';
import { scatterSlot } from './row-columns.js';
import { RowLayout } from './row-layout.js';
import { ENTRY_BYTES, writeSortKeys } from './row-sorter.js';
import { scratchRows } from './row-store.js';

/** Rows after which a filter is judged, the share of them that it must drop, and for how many rows it rests if it does not. */
const TRIAL_ROWS = 32_768;
const WORTHWHILE_SHARE = 0.1;
const REST_ROWS = 4 * TRIAL_ROWS;

/** Selected rows of a batch; `selection` 0 = all. */
export interface KeptRows {
  readonly selection: number;
  readonly count: number;
}

/**
 * Drops rows that no one of several bounds finds of use. Rows compare as a sort compares them, so what it drops a sort would drop
 * too; while it drops little it rests.
 */
export class RowBoundFilter {
  readonly #types: readonly (DataType | null)[];
  readonly #arena: Arena;
  #bounds: readonly RowBound[] | null = null;
  #tests: readonly BoundTest[] | null = null;
  #seen = 0;
  #dropped = 0;
  #rest = 0;

  /** `types`: per child of the dynamic filter, null where its column is not at hand. `arena` is the filter's own: it is reset. */
  constructor(types: readonly (DataType | null)[], arena: Arena) {
    this.#types = types;
    this.#arena = arena;
  }

  /** The bounds to go by from now on; null = none yet. */
  use(bounds: readonly RowBound[] | null): void {
    if (bounds === this.#bounds) return;
    this.#bounds = bounds;
    this.#arena.reset();
    const tests = (bounds ?? []).map((bound) => BoundTest.of(bound, this.#types, this.#arena));
    // A bound that cannot be tested may let every row pass.
    this.#tests = tests.length > 0 && tests.every((test) => test !== null) ? tests : null;
  }

  /** Which of the given rows pass; `columns` has one column per child, of the batch's physical rows. */
  keep(columns: readonly (Column | null)[], rows: KeptRows, arena: Arena): KeptRows {
    if (this.#tests === null || rows.count === 0) return rows;
    if (this.#rest > 0) {
      this.#rest -= rows.count;
      return rows;
    }
    const kept = this.#test(this.#tests, columns, rows, arena);
    this.#seen += rows.count;
    this.#dropped += rows.count - kept.count;
    if (this.#seen >= TRIAL_ROWS) {
      if (this.#dropped < this.#seen * WORTHWHILE_SHARE) this.#rest = REST_ROWS;
      this.#seen = 0;
      this.#dropped = 0;
    }
    return kept;
  }

  #test(tests: readonly BoundTest[], columns: readonly (Column | null)[], rows: KeptRows, arena: Arena): KeptRows {
    const { selection, count } = rows;
    const dense = columns.map((column) =>
      column === null || selection === 0 ? column : takeColumn(column, selection, count, arena),
    );
    let kept: KeptRows | null = null;
    for (const test of tests) {
      const found = test.within(dense, count, arena);
      if (found.count === count) return rows;
      kept = kept === null ? found : unite(kept, found, arena);
    }
    if (kept === null || kept.count === count) return rows;
    if (selection !== 0) {
      for (let i = 0, at = kept.selection >>> 2; i < kept.count; i++, at++) {
        heap.u32[at] = heap.u32[(selection >>> 2) + heap.u32[at]!]!;
      }
    }
    return kept;
  }
}

/** Both ascending and without repeats, as the result. */
function unite(a: KeptRows, b: KeptRows, arena: Arena): KeptRows {
  const selection = arena.alloc((a.count + b.count) * 4);
  let out = selection >>> 2;
  let i = a.selection >>> 2;
  let j = b.selection >>> 2;
  const iEnd = i + a.count;
  const jEnd = j + b.count;
  while (i < iEnd || j < jEnd) {
    const x = i < iEnd ? heap.u32[i]! : Infinity;
    const y = j < jEnd ? heap.u32[j]! : Infinity;
    heap.u32[out++] = Math.min(x, y);
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return { selection, count: out - (selection >>> 2) };
}

/** One bound as a row that kernels compare with. */
class BoundTest {
  readonly #children: readonly number[];
  readonly #layout: RowLayout;
  readonly #keys: number;
  readonly #bound: number;
  readonly #inclusive: boolean;

  /** Null when the first key's column is not at hand. Where a later one's is not, the keys before it decide, ties included. */
  static of(bound: RowBound, types: readonly (DataType | null)[], arena: Arena): BoundTest | null {
    const missing = bound.keys.findIndex(({ child }) => (types[child] ?? null) === null);
    if (missing === 0) return null;
    return new BoundTest(missing < 0 ? bound : { keys: bound.keys.slice(0, missing), inclusive: true }, types, arena);
  }

  private constructor({ keys, inclusive }: RowBound, types: readonly (DataType | null)[], arena: Arena) {
    this.#children = keys.map(({ child }) => child);
    this.#inclusive = inclusive;
    const fields = keys.map(({ child }) => ({ type: types[child]!, nullable: true }));
    this.#layout = new RowLayout([], fields);
    this.#keys = writeSortKeys(
      this.#layout.payload,
      keys.map(({ descending, nullsFirst }, column) => ({ column, descending, nullsFirst })),
      arena,
    );
    const values = keys.map(({ value }, index) => columnFromValues(fields[index]!.type, [value], arena));
    this.#bound = this.#entries(values, 1, arena);
  }

  #entries(columns: readonly Column[], count: number, arena: Arena): number {
    const { rows } = scratchRows(this.#layout.width, count, arena);
    for (const [index, slot] of this.#layout.payload.entries()) {
      scatterSlot(slot, columns[index]!, 0, count, rows, { asKey: false, scratch: arena });
    }
    const entries = arena.alloc(count * ENTRY_BYTES);
    kernels.sortEntries(rows, count, this.#keys, entries);
    return entries;
  }

  /** The rows within the bound, of `count` dense ones. */
  within(columns: readonly (Column | null)[], count: number, arena: Arena): KeptRows {
    const keys = this.#children.map((child) => columns[child]!);
    const entries = this.#entries(keys, count, arena);
    const selection = arena.alloc(count * 4);
    const { length } = keys;
    const orEqual = this.#inclusive ? 1 : 0;
    const found = kernels.entriesBefore(entries, count, this.#bound, orEqual, this.#keys, length, selection);
    return { selection, count: found };
  }
}
