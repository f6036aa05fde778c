import type { ScalarValue } from '../columnar/scalar-value.js';
import { type ColumnStatistics, inexact, known, type Precision } from './statistics.js';

/**
 * Distinct values of two sets of rows together. Values are taken to be spread evenly over each side's range: those outside the other's
 * range add up, and where the ranges overlap the smaller set counts as part of the larger. `unranged` is the answer for values whose
 * distance cannot be told (strings). Source: `estimate_ndv_with_overlap` in apache/datafusion, common/src/stats.rs.
 */
export function combinedDistinctCount(
  a: ColumnStatistics,
  b: ColumnStatistics,
  unranged: (a: number, b: number) => number,
): Precision<number> {
  const left = known(a.distinctCount);
  const right = known(b.distinctCount);
  if (left === undefined || right === undefined) return { kind: 'absent' };
  return inexact(overlapping(a, b, left, right) ?? unranged(left, right));
}

function overlapping(a: ColumnStatistics, b: ColumnStatistics, left: number, right: number): number | undefined {
  const [leftMin, leftMax, rightMin, rightMax] = [a.min, a.max, b.min, b.max].map((bound) => position(known(bound)));
  if (leftMin === undefined || leftMax === undefined || rightMin === undefined || rightMax === undefined) {
    return undefined;
  }
  const leftRange = leftMax - leftMin;
  const rightRange = rightMax - rightMin;
  const low = Math.max(leftMin, rightMin);
  const high = Math.min(leftMax, rightMax);
  if (low > high) return left + right;
  if (leftRange === 0 || rightRange === 0) return Math.max(left, right);
  const leftShare = (high - low) / leftRange;
  const rightShare = (high - low) / rightRange;
  const shared = Math.max(leftShare * left, rightShare * right);
  return Math.round(shared + (1 - leftShare) * left + (1 - rightShare) * right);
}

/** Where a value lies on a line of numbers (decimals of one column share their scale). */
function position(value: ScalarValue | undefined): number | undefined {
  if (value === undefined) return undefined;
  return typeof value.value === 'number' || typeof value.value === 'bigint' ? Number(value.value) : undefined;
}
