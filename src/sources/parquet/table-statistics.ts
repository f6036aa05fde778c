import { type DataType, primitiveWidth } from '../../columnar/data-type.js';
import type { Schema } from '../../columnar/schema.js';
import { combinedDistinctCount } from '../../catalog/distinct-estimate.js';
import {
  ABSENT,
  type ColumnStatistics,
  combine,
  exact,
  inexact,
  type Precision,
  type Statistics,
  UNKNOWN_COLUMN,
} from '../../catalog/statistics.js';
import { boundToScalar, columnBounds, type Comparable, comparableOf, compareComparables } from './column-bounds.js';
import type { ParquetFooter } from './footer.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';

/** One side of a column's range over the row groups of a file. */
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
    const order = this.#value === null ? -1 : compareComparables(value, this.#value) * this.#sign;
    if (order < 0) {
      this.#value = value;
      this.#exact = isExact;
    } else if (order === 0) {
      this.#exact ||= isExact;
    }
  }

  result(type: DataType): Precision<ScalarValue> {
    if (!this.#known || this.#value === null) return ABSENT;
    const value = boundToScalar(this.#value, type);
    if (value === null) return ABSENT;
    return this.#exact ? exact(value) : inexact(value);
  }
}

/** One column of one file. */
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

  add(footer: ParquetFooter, rowGroup: number, leaf: number): void {
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
    this.#min.add(min, stored.minExact);
    this.#max.add(max, maxExact);
  }

  result(rows: number): ColumnStatistics {
    const width = primitiveWidth(this.#type);
    return {
      // Of a file without row groups DataFusion knows nothing, not even that no value is null.
      nullCount: this.#nulls === null || this.#chunks === 0 ? ABSENT : exact(this.#nulls),
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

/** A column over two sets of files: counts add up, a bound is as exact as both, distinct values are estimated. */
function mergeColumns(a: ColumnStatistics, b: ColumnStatistics, aIsNull: boolean, bIsNull: boolean): ColumnStatistics {
  const add = (x: number, y: number): number => x + y;
  // Files without any value have no say in the bounds.
  const bounds = (x: Precision<ScalarValue>, y: Precision<ScalarValue>, sign: 1 | -1): Precision<ScalarValue> => {
    if (aIsNull || bIsNull) return aIsNull ? y : x;
    return mergeBounds(x, y, sign);
  };
  return {
    nullCount: combine(a.nullCount, b.nullCount, add),
    min: bounds(a.min, b.min, 1),
    max: bounds(a.max, b.max, -1),
    distinctCount: combinedDistinctCount(a, b, Math.max),
    byteSize: combine(a.byteSize, b.byteSize, add),
  };
}

/** `sign` 1 keeps the least value, −1 the greatest. */
function mergeBounds(a: Precision<ScalarValue>, b: Precision<ScalarValue>, sign: 1 | -1): Precision<ScalarValue> {
  return combine(a, b, (x, y) => {
    const left = comparableOf(x);
    const right = comparableOf(y);
    return left === null || right === null || compareComparables(left, right) * sign <= 0 ? x : y;
  });
}

/** Whether there are rows and all of them are known to be null. */
function isAllNull({ nullCount }: ColumnStatistics, rows: number): boolean {
  return rows > 0 && nullCount.kind === 'exact' && nullCount.value === rows;
}

/**
 * Statistics of a table, merged from its footers as DataFusion does: rows, nulls and fixed-width sizes are exact; bounds are exact
 * unless a writer cut one of them; string sizes are the uncompressed chunk sizes.
 */
export class TableStatisticsBuilder {
  readonly #schema: Schema;
  readonly #columns: (ColumnStatistics | undefined)[];
  #rows = 0;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#columns = schema.fields.map(() => undefined);
  }

  /** Adds a file; `leaves[i]` is its leaf for column i, −1 for nested columns. */
  add(footer: ParquetFooter, leaves: readonly number[]): void {
    for (const [index, { type }] of this.#schema.fields.entries()) {
      const leaf = leaves[index]!;
      if (leaf < 0) continue;
      const column = new ColumnAccumulator(type);
      for (let rowGroup = 0; rowGroup < footer.rowGroupCount; rowGroup++) column.add(footer, rowGroup, leaf);
      const inFile = column.result(footer.numRows);
      const before = this.#columns[index];
      this.#columns[index] =
        before === undefined
          ? inFile
          : mergeColumns(before, inFile, isAllNull(before, this.#rows), isAllNull(inFile, footer.numRows));
    }
    this.#rows += footer.numRows;
  }

  result(): Statistics {
    const columns = this.#schema.fields.map(({ type }, index) =>
      type.kind === 'List' || type.kind === 'Struct' || type.kind === 'Map'
        ? UNKNOWN_COLUMN
        : (this.#columns[index] ?? UNKNOWN_COLUMN),
    );
    return { numRows: exact(this.#rows), totalByteSize: ABSENT, columns };
  }
}
