import type { FileBounds } from '../../catalog/file-scan.js';
import type { Schema } from '../../columnar/schema.js';
import { type BoundValue, compareInOrder } from '../../columnar/rows/row-bound.js';
import { columnBounds } from './column-bounds.js';
import type { ParquetFooter } from './footer.js';

/** Footers of a table beyond this many bytes are not held on to. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The bounds of a table's files, from their footers. */
export class FooterBounds implements FileBounds {
  readonly #footers = new Map<string, { readonly footer: ParquetFooter; readonly leaves: readonly number[] }>();
  #schema: Schema | null = null;
  #heldBytes = 0;

  /** Takes a file in; `leaves` gives the leaf of each table column. */
  add(path: string, footer: ParquetFooter, leaves: readonly number[]): void {
    this.#heldBytes += footer.heldBytes;
    if (this.#heldBytes > MOST_BYTES) this.#footers.clear();
    else this.#footers.set(path, { footer, leaves });
  }

  /** Sets the table's schema, once all files are in. */
  finish(schema: Schema): this {
    this.#schema = schema;
    return this;
  }

  first(path: string, column: number, descending: boolean): BoundValue {
    const file = this.#footers.get(path);
    const leaf = file?.leaves[column];
    if (file === undefined || leaf === undefined || this.#schema === null) return null;
    const { footer } = file;
    const { type } = this.#schema.field(column);
    let first: BoundValue = null;
    for (let rowGroup = 0; rowGroup < footer.rowGroupCount; rowGroup++) {
      const bounds = columnBounds(footer.statistics(rowGroup, leaf), footer.schema.leaves[leaf]!, type);
      const value = descending ? bounds.max : bounds.min;
      if (value === null) continue;
      if (first === null || compareInOrder({ descending, nullsFirst: false }, value, first) < 0) first = value;
    }
    return first;
  }
}
