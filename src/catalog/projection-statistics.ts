import { type DataType, isNumeric, primitiveWidth } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import { castConstant } from '../expr/constant-evaluator.js';
import type { PhysicalCast, PhysicalExpr } from '../expr/physical-expr.js';
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
  if (expr.kind === 'cast' && !expr.safe) return castStatistics(exprStatistics(expr.expr, input), expr);
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

/**
 * Bounds go through a cast that keeps the order; one that does not fit is not known. DataFusion sends them through every cast, which
 * for numbers as text gives bounds that do not hold.
 */
function castStatistics(input: ColumnStatistics, { expr, type }: PhysicalCast): ColumnStatistics {
  const isOrdered =
    (isNumeric(expr.type) && isNumeric(type)) || (expr.type.kind === 'Date32' && type.kind === 'Timestamp');
  if (!isOrdered) return { ...UNKNOWN_COLUMN, nullCount: input.nullCount };
  const bound = (value: Precision<ScalarValue>): Precision<ScalarValue> => {
    if (value.kind === 'absent') return value;
    const cast = castConstant(value.value, type);
    return cast === undefined ? ABSENT : { kind: value.kind, value: cast };
  };
  return { ...UNKNOWN_COLUMN, nullCount: input.nullCount, min: bound(input.min), max: bound(input.max) };
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
