import { type DataType, primitiveWidth } from '../columnar/data-type.js';
import type { PhysicalExpr } from '../expr/physical-expr.js';
import {
  ABSENT,
  type ColumnStatistics,
  combine,
  exact,
  type Precision,
  type Statistics,
  toInexact,
  UNKNOWN_COLUMN,
} from './statistics.js';

/** The statistics with only the given columns; the byte count is left as it is. */
export function projectColumns(statistics: Statistics, indices: readonly number[]): Statistics {
  return { ...statistics, columns: indices.map((index) => statistics.columns[index] ?? UNKNOWN_COLUMN) };
}

/**
 * The statistics of expressions over rows that have `statistics`. Bytes are counted anew where every column has a fixed width, else
 * the old count is kept and no longer exact.
 */
export function projectionStatistics(
  statistics: Statistics,
  exprs: readonly { readonly expr: PhysicalExpr }[],
): Statistics {
  return withFixedWidthBytes(
    { ...statistics, columns: exprs.map(({ expr }) => exprStatistics(expr, statistics)) },
    exprs.map(({ expr }) => expr.type),
  );
}

function exprStatistics(expr: PhysicalExpr, input: Statistics): ColumnStatistics {
  if (expr.kind === 'column') return input.columns[expr.index] ?? UNKNOWN_COLUMN;
  if (expr.kind !== 'literal') return UNKNOWN_COLUMN;
  const width = primitiveWidth(expr.type);
  const isNull = expr.value.value === null;
  return {
    nullCount: isNull ? input.numRows : exact(0),
    min: exact(expr.value),
    max: exact(expr.value),
    distinctCount: exact(1),
    byteSize: width === undefined ? ABSENT : scale(input.numRows, width),
  };
}

/** DataFusion's `calculate_total_byte_size`. */
function withFixedWidthBytes(statistics: Statistics, types: readonly DataType[]): Statistics {
  let rowBytes = 0;
  for (const type of types) {
    const width = primitiveWidth(type);
    if (width === undefined) return { ...statistics, totalByteSize: toInexact(statistics.totalByteSize) };
    rowBytes += width;
  }
  return { ...statistics, totalByteSize: scale(statistics.numRows, rowBytes) };
}

function scale(rows: Precision<number>, factor: number): Precision<number> {
  return combine(rows, exact(factor), (a, b) => a * b);
}

/** Every figure of the statistics, no longer exact. */
export function statisticsToInexact(statistics: Statistics): Statistics {
  return {
    numRows: toInexact(statistics.numRows),
    totalByteSize: toInexact(statistics.totalByteSize),
    columns: statistics.columns.map((column) => ({
      nullCount: toInexact(column.nullCount),
      min: toInexact(column.min),
      max: toInexact(column.max),
      distinctCount: toInexact(column.distinctCount),
      byteSize: toInexact(column.byteSize),
    })),
  };
}
