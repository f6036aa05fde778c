import { type DataType, primitiveWidth } from '../../columnar/data-type.js';
import type { Schema } from '../../columnar/schema.js';
import {
  ABSENT,
  type ColumnStatistics,
  exact,
  inexact,
  type Precision,
  type Statistics,
  UNKNOWN_COLUMN,
} from '../../catalog/statistics.js';
import { boundToScalar, columnBounds, type Comparable, compareComparables } from './column-bounds.js';
import type { ParquetFooter } from './footer.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';

/** One side of a column's range: over the row groups of a file, then over files. */
class Bound {
  readonly #sign: 1 | -1;
  #value: Comparable | null = null;
  #exact = true;
  #known = true;

  /** `sign` 1 keeps the least value, −1 the greatest. */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** A row group's bound: exact where the extreme one is. */
  add(value: Comparable | null, isExact: boolean): void {
    if (value === null) {
      this.#known = false;
      return;
    }
    const order = this.#order(value);
    if (order < 0) {
      this.#value = value;
      this.#exact = isExact;
    } else if (order === 0) {
      this.#exact ||= isExact;
    }
  }

  /** A file's bound: exact only where every file's is, as DataFusion merges them. */
  merge(file: Bound): void {
    this.#known &&= file.#known;
    this.#exact &&= file.#exact;
    if (file.#value === null || this.#order(file.#value) >= 0) return;
    // A copy: the footer it is a view of need not live as long.
    this.#value = file.#value instanceof Uint8Array ? file.#value.slice() : file.#value;
  }

  result(type: DataType): Precision<ScalarValue> {
    if (!this.#known || this.#value === null) return ABSENT;
    const value = boundToScalar(this.#value, type);
    if (value === null) return ABSENT;
    return this.#exact ? exact(value) : inexact(value);
  }

  #order(value: Comparable): number {
    return this.#value === null ? -1 : compareComparables(value, this.#value) * this.#sign;
  }
}

class ColumnAccumulator {
  readonly #type: DataType;
  readonly #min: Bound = new Bound(1);
  readonly #max: Bound = new Bound(-1);
  #nulls: number | null = 0;
  #distinct: number | null = 0;
  #uncompressedBytes = 0;
  #chunks = 0;

  constructor(type: DataType) {
    this.#type = type;
  }

  add(footer: ParquetFooter, leaf: number): void {
    const min = new Bound(1);
    const max = new Bound(-1);
    for (let rowGroup = 0; rowGroup < footer.rowGroupCount; rowGroup++)
      this.#addRowGroup(footer, rowGroup, leaf, min, max);
    this.#min.merge(min);
    this.#max.merge(max);
  }

  #addRowGroup(footer: ParquetFooter, rowGroup: number, leaf: number, least: Bound, greatest: Bound): void {
    const stored = footer.statistics(rowGroup, leaf);
    const rows = footer.rows(rowGroup);
    const nulls = stored.nullCount !== null && stored.nullCount <= rows ? stored.nullCount : null;
    this.#chunks++;
    this.#nulls = nulls === null || this.#nulls === null ? null : this.#nulls + nulls;
    this.#uncompressedBytes += footer.uncompressedBytes(rowGroup, leaf);
    this.#distinct =
      stored.distinctCount === null || this.#distinct === null ? null : Math.max(this.#distinct, stored.distinctCount);
    if (nulls === rows) return;
    const { min, max } = columnBounds(stored, footer.schema.leaves[leaf]!, this.#type);
    // Writers leave NaN out of the bounds of floats, and NaN is above all numbers.
    const maxExact = stored.maxExact && this.#type.kind !== 'Float32' && this.#type.kind !== 'Float64';
    least.add(min, stored.minExact);
    greatest.add(max, maxExact);
  }

  result(rows: number): ColumnStatistics {
    const width = primitiveWidth(this.#type);
    return {
      nullCount: this.#nulls === null ? ABSENT : exact(this.#nulls),
      min: this.#min.result(this.#type),
      max: this.#max.result(this.#type),
      distinctCount: this.#distinctResult(),
      byteSize: width === undefined ? inexact(this.#uncompressedBytes) : exact(rows * width),
    };
  }

  #distinctResult(): Precision<number> {
    if (this.#distinct === null || this.#chunks === 0) return ABSENT;
    return this.#chunks === 1 ? exact(this.#distinct) : inexact(this.#distinct);
  }
}

/**
 * Statistics of a table, merged from its footers as DataFusion does: rows, nulls and fixed-width sizes are exact; bounds are exact
 * unless a writer cut them; string sizes are the uncompressed chunk sizes.
 */
export class TableStatisticsBuilder {
  readonly #schema: Schema;
  readonly #columns: readonly ColumnAccumulator[];
  #rows = 0;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#columns = schema.fields.map((field) => new ColumnAccumulator(field.type));
  }

  /** Adds a file; `leaves[i]` is its leaf for column i, −1 for nested columns. */
  add(footer: ParquetFooter, leaves: readonly number[]): void {
    this.#rows += footer.numRows;
    for (const [index, column] of this.#columns.entries()) {
      const leaf = leaves[index]!;
      if (leaf < 0) continue;
      column.add(footer, leaf);
    }
  }

  result(): Statistics {
    const columns = this.#schema.fields.map(({ type }, index) =>
      type.kind === 'List' || type.kind === 'Struct' || type.kind === 'Map'
        ? UNKNOWN_COLUMN
        : this.#columns[index]!.result(this.#rows),
    );
    return { numRows: exact(this.#rows), totalByteSize: ABSENT, columns };
  }
}
