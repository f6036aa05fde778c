import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { heap } from '../../columnar/heap.js';

/** The rows an expression is evaluated for: all `capacity` physical rows when `selection` is 0, else `count` ascending u32 indexes. */
export interface Rows {
  readonly capacity: number;
  readonly count: number;
  readonly selection: number;
}

export function allRows(capacity: number): Rows {
  return { capacity, count: capacity, selection: 0 };
}

/** Calls `each` with every row's physical index, ascending. */
export function forEachRow(rows: Rows, each: (row: number) => void): void {
  if (rows.selection === 0) {
    for (let row = 0; row < rows.count; row++) each(row);
    return;
  }
  const first = rows.selection >>> 2;
  for (let i = 0; i < rows.count; i++) each(heap.u32[first + i]!);
}

/** The rows for which `keep` holds; the same object when it holds for all of them. */
export function narrowRows(rows: Rows, arena: Arena, keep: (row: number) => boolean): Rows {
  const selection = arena.alloc(rows.count * 4);
  let count = 0;
  forEachRow(rows, (row) => {
    if (keep(row)) heap.u32[(selection >>> 2) + count++] = row;
  });
  return count === rows.count ? rows : { capacity: rows.capacity, count, selection };
}

/** Three-valued truth of a boolean column, row by row. */
export class TruthReader {
  readonly #reader: ColumnReader;

  constructor(column: Column) {
    this.#reader = new ColumnReader(column);
  }

  isTrue(row: number): boolean {
    return !this.#reader.isNull(row) && this.#reader.boolean(row);
  }

  isFalse(row: number): boolean {
    return !this.#reader.isNull(row) && !this.#reader.boolean(row);
  }

  isNull(row: number): boolean {
    return this.#reader.isNull(row);
  }
}
