import type { ScanContext } from '../../catalog/data-source.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { type KeptRows, RowBoundFilter } from '../../columnar/rows/row-bound-filter.js';
import { conjuncts } from '../../expr/physical-expr-transform.js';

interface Bounded {
  readonly id: number;
  /** Per child of the dynamic filter, where its column stands among those that are read, or -1. */
  readonly places: readonly number[];
  readonly filter: RowBoundFilter;
  readonly arena: Arena;
}

/** Drops rows that TopK sorts and min/max aggregates above would not take any more. */
export class BoundRowFilter {
  readonly #context: ScanContext;
  readonly #filters: readonly Bounded[];

  /** `place` gives a table column's place among the read ones, or -1. */
  constructor(scan: FileScanConfig, context: ScanContext, place: (column: number) => number) {
    this.#context = context;
    // A scan that ends after so many rows must count them as its plan says.
    const filters = scan.predicate === null || scan.limit !== null ? [] : conjuncts(scan.predicate);
    this.#filters = filters.flatMap((filter) => {
      if (filter.kind !== 'dynamic_filter') return [];
      const places = filter.children.map((child) => (child.kind === 'column' ? place(child.index) : -1));
      const arena = new Arena(context.memory);
      const types = filter.children.map((child, index) => (places[index]! < 0 ? null : child.type));
      return [{ id: filter.id, places, filter: new RowBoundFilter(types, arena), arena }];
    });
  }

  /** Which of a batch's rows pass by now. */
  keep(columns: readonly Column[], rows: KeptRows, arena: Arena): KeptRows {
    let kept = rows;
    for (const { id, places, filter } of this.#filters) {
      const bounds = this.#context.rowBounds(id);
      if (bounds === null) continue;
      filter.use(bounds);
      kept = filter.keep(
        places.map((place) => (place < 0 ? null : columns[place]!)),
        kept,
        arena,
      );
    }
    return kept;
  }

  free(): void {
    for (const { arena } of this.#filters) arena.free();
  }
}
