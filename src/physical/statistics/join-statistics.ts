import {
  ABSENT,
  type ColumnStatistics,
  combine,
  exact,
  inexact,
  known,
  type Precision,
  type Statistics,
  toInexact,
  UNKNOWN_COLUMN,
  unknownStatistics,
} from '../../catalog/statistics.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { JoinType } from '../../expr/join-type.js';
import { compareScalars } from './compare-scalars.js';
import { valueRange } from './value-range.js';

type Keys = readonly (readonly [ColumnStatistics, ColumnStatistics])[];

/**
 * What a join puts out, by its equality keys; other conditions tell nothing. Source: `estimate_join_cardinality` in apache/datafusion, physical-plan/src/joins/utils.rs: the cross product
 * over the distinct values of the most selective key.
 */
export function joinStatistics(
  left: Statistics,
  right: Statistics,
  on: readonly (readonly [PhysicalExpr, PhysicalExpr])[],
  joinType: JoinType,
  nullEqualsNull = false,
): Statistics {
  const keys = on.map(([l, r]) => [keyStatistics(l, left), keyStatistics(r, right)] as const);
  const both = [...left.columns, ...right.columns];
  switch (joinType) {
    case 'Inner':
    case 'Left':
    case 'Right':
    case 'Full': {
      const inner = innerRows(left, right, keys);
      const l = known(left.numRows);
      const r = known(right.numRows);
      if (inner === undefined || l === undefined || r === undefined) return unknownStatistics(both.length);
      let rows = inner;
      if (joinType === 'Left') rows = Math.max(inner, l);
      else if (joinType === 'Right') rows = Math.max(inner, r);
      else if (joinType === 'Full') rows = Math.max(inner, l) + Math.max(inner, r) - inner;
      return { numRows: inexact(rows), totalByteSize: ABSENT, columns: both };
    }
    case 'LeftSemi':
    case 'LeftAnti': {
      const columns = positions(nullEqualsNull ? [] : on.map(([key]) => key));
      return existenceStatistics(left, right, keys, columns, joinType === 'LeftSemi');
    }
    case 'RightSemi':
    case 'RightAnti': {
      const columns = positions(nullEqualsNull ? [] : on.map(([, key]) => key));
      return existenceStatistics(right, left, flip(keys), columns, joinType === 'RightSemi');
    }
    case 'LeftMark':
      return markStatistics(left);
    case 'RightMark':
      return markStatistics(right);
  }
}

function markStatistics(kept: Statistics): Statistics {
  const rows = known(kept.numRows);
  if (rows === undefined) return unknownStatistics(kept.columns.length + 1);
  return { numRows: inexact(rows), totalByteSize: ABSENT, columns: [...kept.columns, UNKNOWN_COLUMN] };
}

function positions(keys: readonly PhysicalExpr[]): ReadonlySet<number> {
  return new Set(keys.flatMap((key) => (key.kind === 'column' ? [key.index] : [])));
}

function flip(keys: Keys): Keys {
  return keys.map(([a, b]) => [b, a] as const);
}

function keyStatistics(key: PhysicalExpr, side: Statistics): ColumnStatistics {
  return key.kind === 'column' ? (side.columns[key.index] ?? UNKNOWN_COLUMN) : UNKNOWN_COLUMN;
}

/** Rows of the inner join, or undefined when unknown. */
function innerRows(left: Statistics, right: Statistics, keys: Keys): number | undefined {
  if (disjoint(keys)) return 0;
  const l = known(left.numRows);
  const r = known(right.numRows);
  if (l === undefined || r === undefined) return undefined;
  if (l === 0 || r === 0) return 0;
  let distinct = 0;
  for (const [a, b] of keys) {
    distinct = Math.max(distinct, distinctValues(l, a) ?? 0, distinctValues(r, b) ?? 0);
  }
  if (distinct === 0) return undefined;
  const product = l * r;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / distinct);
  return Number((BigInt(l) * BigInt(r)) / BigInt(distinct));
}

/** Whether the ranges of some key do not meet. */
function disjoint(keys: Keys): boolean {
  return keys.some(([a, b]) => {
    const leftMin = known(a.min);
    const leftMax = known(a.max);
    const rightMin = known(b.min);
    const rightMax = known(b.max);
    if (leftMin === undefined || leftMax === undefined || rightMin === undefined || rightMax === undefined)
      return false;
    return (compareScalars(leftMin, rightMax) ?? 0) > 0 || (compareScalars(leftMax, rightMin) ?? 0) < 0;
  });
}

/** Upper bound of a column's distinct values among `rows` rows. */
function distinctValues(rows: number, column: ColumnStatistics): number | undefined {
  const counted = known(column.distinctCount);
  if (counted !== undefined) return Math.min(counted, rows);
  const nonNull = Math.max(rows - (known(column.nullCount) ?? 0), 0);
  const range = valueRange(known(column.min), known(column.max));
  return range === undefined ? nonNull : Math.min(nonNull, range);
}

function usable(column: ColumnStatistics): boolean {
  return column.distinctCount.kind !== 'absent' || (column.min.kind !== 'absent' && column.max.kind !== 'absent');
}

function existenceStatistics(
  outer: Statistics,
  inner: Statistics,
  keys: Keys,
  keyColumns: ReadonlySet<number>,
  semi: boolean,
): Statistics {
  const outerRows = known(outer.numRows);
  if (outerRows === undefined) return unknownStatistics(outer.columns.length);
  const matching = semiSelectivity(outerRows, inner, keys);
  const matched = matching === undefined ? 0 : Math.ceil(outerRows * matching);
  let rows = outerRows;
  if (matching !== undefined) rows = semi ? matched : outerRows - matched;
  const scaled = (count: Precision<number>): Precision<number> =>
    count.kind === 'absent' ? count : inexact(outerRows === 0 ? 0 : Math.ceil((count.value * rows) / outerRows));
  const columns = outer.columns.map((column, i) => {
    // A key without a value matches nothing.
    const nullCount = semi && keyColumns.has(i) ? exact(0) : capped(scaled(column.nullCount), rows);
    return {
      min: toInexact(column.min),
      max: toInexact(column.max),
      nullCount,
      distinctCount: capped(toInexact(column.distinctCount), rows - (known(nullCount) ?? 0)),
      byteSize: scaled(column.byteSize),
    };
  });
  const bytes = columns.reduce<Precision<number>>(
    (sum, column) => combine(sum, column.byteSize, (a, b) => a + b),
    inexact(0),
  );
  return { numRows: inexact(rows), totalByteSize: columns.length === 0 ? ABSENT : bytes, columns };
}

function capped(count: Precision<number>, limit: number): Precision<number> {
  return count.kind === 'absent' || count.value <= limit ? count : inexact(limit);
}

/** Share of the outer rows that have a match; undefined when no key tells. */
function semiSelectivity(outerRows: number, inner: Statistics, keys: Keys): number | undefined {
  if (disjoint(keys)) return 0;
  const innerRowCount = known(inner.numRows);
  if (innerRowCount === 0) return 0;
  let selectivity: number | undefined;
  for (const [a, b] of keys) {
    if (!usable(a) || !usable(b)) continue;
    const outerDistinct = distinctValues(outerRows, a);
    const innerDistinct = innerRowCount === undefined ? undefined : distinctValues(innerRowCount, b);
    if (outerDistinct === undefined || innerDistinct === undefined || outerDistinct === 0) continue;
    const nullFraction = outerRows === 0 ? 0 : (known(a.nullCount) ?? 0) / outerRows;
    const share = (Math.min(outerDistinct, innerDistinct) / outerDistinct) * (1 - nullFraction);
    selectivity = (selectivity ?? 1) * share;
  }
  return selectivity;
}

export function crossJoinStatistics(left: Statistics, right: Statistics): Statistics {
  const multiply = (a: number, b: number): number => a * b;
  const leftBytes = combine(left.totalByteSize, right.numRows, multiply);
  const rightBytes = combine(right.totalByteSize, left.numRows, multiply);
  // Counts of nulls stay as they are, as in DataFusion.
  const repeated = (column: ColumnStatistics): ColumnStatistics => ({ ...column, byteSize: ABSENT });
  return {
    numRows: combine(left.numRows, right.numRows, multiply),
    totalByteSize: combine(leftBytes, rightBytes, (a, b) => a + b),
    columns: [...left.columns.map(repeated), ...right.columns.map(repeated)],
  };
}
