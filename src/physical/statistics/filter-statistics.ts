import { statisticsToInexact } from '../../catalog/projection-statistics.js';
import { inexact, type Precision, type Statistics } from '../../catalog/statistics.js';
import type { Schema } from '../../columnar/schema.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';

/** The rows of `input` that pass `predicate`. `defaultSelectivity` is the percentage assumed where it cannot be analysed. */
export function filterStatistics(
  input: Statistics,
  _predicate: PhysicalExpr,
  _schema: Schema,
  defaultSelectivity: number,
): Statistics {
  const selectivity = defaultSelectivity / 100;
  const filtered = statisticsToInexact(input);
  return {
    ...filtered,
    numRows: selected(input.numRows, selectivity),
    totalByteSize: selected(input.totalByteSize, selectivity),
  };
}

function selected(count: Precision<number>, selectivity: number): Precision<number> {
  return count.kind === 'absent' ? count : inexact(Math.ceil(count.value * selectivity));
}
