import type { ScanContext } from '../../catalog/data-source.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { kernels } from '../../columnar/kernels.js';
import type { KeptRows } from '../../columnar/rows/row-bound-filter.js';
import type { KeySet } from '../../columnar/rows/key-set.js';
import { layoutWidth } from '../../columnar/layout.js';
import { conjuncts } from '../../expr/physical-expr-transform.js';

/** Rows after which a filter that drops too little is judged, and the share of them that it must drop. */
const TRIAL_ROWS = 32_768;
const WORTHWHILE_SHARE = 0.1;

interface KeyTest {
  /** The dynamic filter, and which of its children. */
  readonly id: number;
  readonly child: number;
  /** Where the column stands among those that are read. */
  readonly place: number;
  set: KeySet | null;
  seen: number;
  dropped: number;
  /** Per code of dictionary `flagsOf`, whether its value is in the set; in the filter's own arena. */
  flags: number;
  flagsOf: number;
}

/**
 * Drops rows that no join above can use: those whose keys are in no build side. The joins would drop them too, so a test that drops
 * little is given up.
 */
export class KeyRowFilter {
  readonly #context: ScanContext;
  readonly #tests: readonly KeyTest[];
  readonly #arena: Arena;

  /** `place` gives a table column's place among the read ones, or -1. `arena` is the filter's own: it is reset. */
  constructor(scan: FileScanConfig, context: ScanContext, place: (column: number) => number, arena: Arena) {
    this.#context = context;
    this.#arena = arena;
    // A scan that ends after so many rows must count them as its plan says.
    const filters = scan.predicate === null || scan.limit !== null ? [] : conjuncts(scan.predicate);
    this.#tests = filters.flatMap((filter) =>
      filter.kind !== 'dynamic_filter'
        ? []
        : filter.children.flatMap((child, index) => {
            const at = child.kind === 'column' ? place(child.index) : -1;
            return at < 0
              ? []
              : [{ id: filter.id, child: index, place: at, set: null, seen: 0, dropped: 0, flags: 0, flagsOf: -1 }];
          }),
    );
  }

  /** Looks for sets that have become known; true when one of them is empty, so that no row passes any more. */
  refresh(): boolean {
    let nothing = false;
    for (const test of this.#tests) {
      if (test.set === null) {
        test.set = this.#context.keySets(test.id)?.[test.child] ?? null;
        if (test.set === null) continue;
      }
      if (test.set.isEmpty) nothing = true;
    }
    return nothing;
  }

  /** Which of a batch's rows pass. */
  keep(columns: readonly Column[], rows: number, arena: Arena): KeptRows {
    let kept: KeptRows = { selection: 0, count: rows };
    for (const test of this.#tests) {
      const { set } = test;
      if (set === null || set.address === 0 || kept.count === 0) continue;
      if (test.seen >= TRIAL_ROWS && test.dropped < test.seen * WORTHWHILE_SHARE) continue;
      const column = columns[test.place]!;
      if (column.layout !== 'i32' && column.layout !== 'i64') continue;
      const next = this.#test(test, set, column, kept, arena);
      test.seen += kept.count;
      test.dropped += kept.count - next.count;
      kept = next;
    }
    return kept.count === rows ? { selection: 0, count: rows } : kept;
  }

  #test(test: KeyTest, set: KeySet, column: Column, { selection, count }: KeptRows, arena: Arena): KeptRows {
    const { values, validity, encoding, dictionary } = column;
    const width = layoutWidth(column.layout);
    if (encoding === 'constant') {
      if (column.isAllNull) return { selection, count: 0 };
      const flag = arena.alloc(8);
      return { selection, count: kernels.selectKeys(set.address, values, width, 0, 0, 1, flag) === 1 ? count : 0 };
    }
    const out = arena.alloc((count + 1) * 4);
    if (dictionary === null) {
      const found = kernels.selectKeys(set.address, values, width, validity, selection, count, out);
      return { selection: out, count: found };
    }
    if (test.flagsOf !== dictionary.id) {
      test.flags = this.#arena.alloc(dictionary.size);
      test.flagsOf = dictionary.id;
      kernels.keySetFlags(set.address, dictionary.values, width, dictionary.size, test.flags);
    }
    const found = kernels.selectFlaggedCodes(test.flags, values, validity, selection, count, out);
    return { selection: out, count: found };
  }

  /** Forgets what belongs to the row group that is over. */
  endRowGroup(): void {
    for (const test of this.#tests) test.flagsOf = -1;
    this.#arena.reset();
  }

  /** Whether there is anything to test, now or later. */
  get isNeeded(): boolean {
    return this.#tests.length > 0;
  }
}
