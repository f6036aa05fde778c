import { combinedDistinctCount } from '../../catalog/distinct-estimate.js';
import { typesEqual } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import {
  ABSENT,
  type ColumnStatistics,
  combine,
  known,
  type Precision,
  type Statistics,
  unknownStatistics,
} from '../../catalog/statistics.js';
import { compareScalars } from './compare-scalars.js';

/** The rows of all inputs together. */
export function unionStatistics(inputs: readonly Statistics[]): Statistics {
  const [first, ...rest] = inputs;
  if (first === undefined) return unknownStatistics(0);
  return rest.reduce(
    (sum, next) => ({
      numRows: combine(sum.numRows, next.numRows, add),
      totalByteSize: combine(sum.totalByteSize, next.totalByteSize, add),
      columns: sum.columns.map((column, i) => unionColumn(column, next.columns[i]!)),
    }),
    first,
  );
}

function add(a: number, b: number): number {
  return a + b;
}

function unionColumn(a: ColumnStatistics, b: ColumnStatistics): ColumnStatistics {
  return {
    nullCount: combine(a.nullCount, b.nullCount, add),
    min: bound(a.min, b.min, -1),
    max: bound(a.max, b.max, 1),
    distinctCount: combinedDistinctCount(a, b, add),
    byteSize: combine(a.byteSize, b.byteSize, add),
  };
}

function bound(a: Precision<ScalarValue>, b: Precision<ScalarValue>, sign: 1 | -1): Precision<ScalarValue> {
  const left = known(a);
  const right = known(b);
  if (left === undefined || right === undefined || !typesEqual(left.type, right.type)) return ABSENT;
  const order = compareScalars(left, right);
  if (order === undefined) return ABSENT;
  return combine(a, b, (x, y) => (order * sign >= 0 ? x : y));
}
