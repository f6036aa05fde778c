import { primitiveWidth } from '../../columnar/data-type.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import {
  ABSENT,
  type ColumnStatistics,
  combine,
  exact,
  type Precision,
  type Statistics,
  toInexact,
  UNKNOWN_COLUMN,
} from '../../catalog/statistics.js';

/** What a file scan puts out: the table's statistics after its projection, inexact once a predicate may drop rows. */
export function scanStatistics(config: FileScanConfig): Statistics {
  const { tableStatistics, projection, predicate } = config;
  const { numRows } = tableStatistics;
  const columns = projection.map(({ expr }): ColumnStatistics => {
    if (expr.kind === 'column') return tableStatistics.columns[expr.index] ?? UNKNOWN_COLUMN;
    if (expr.kind !== 'literal') return UNKNOWN_COLUMN;
    const width = primitiveWidth(expr.type);
    const byteSize = width === undefined ? ABSENT : combine(numRows, exact(width), (rows, bytes) => rows * bytes);
    const known = { ...UNKNOWN_COLUMN, distinctCount: exact(1), byteSize };
    if (expr.value.value === null) return { ...known, nullCount: numRows };
    return { ...known, min: exact(expr.value), max: exact(expr.value), nullCount: exact(0) };
  });
  const statistics: Statistics = {
    numRows,
    totalByteSize: projectedBytes(config),
    columns,
  };
  return predicate === null ? statistics : inexactStatistics(statistics);
}

/** Fixed-width projections know their size; others keep the table's, weakened. */
function projectedBytes({ projection, tableStatistics }: FileScanConfig): Precision<number> {
  let rowBytes = 0;
  for (const { expr } of projection) {
    const width = primitiveWidth(expr.type);
    if (width === undefined) return toInexact(tableStatistics.totalByteSize);
    rowBytes += width;
  }
  return combine(tableStatistics.numRows, exact(rowBytes), (rows, bytes) => rows * bytes);
}

export function inexactStatistics({ numRows, totalByteSize, columns }: Statistics): Statistics {
  return {
    numRows: toInexact(numRows),
    totalByteSize: toInexact(totalByteSize),
    columns: columns.map((column) => ({
      nullCount: toInexact(column.nullCount),
      min: toInexact(column.min),
      max: toInexact(column.max),
      distinctCount: toInexact(column.distinctCount),
      byteSize: toInexact(column.byteSize),
    })),
  };
}
