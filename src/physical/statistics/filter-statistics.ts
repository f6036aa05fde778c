import {
  ABSENT,
  type ColumnStatistics,
  exact,
  inexact,
  type Precision,
  type Statistics,
  toInexact,
} from '../../catalog/statistics.js';
import { type DataType, isFloating } from '../../columnar/data-type.js';
import { type ScalarValue, scalar, scalarValuesIdentical } from '../../columnar/scalar-value.js';
import type { Schema } from '../../columnar/schema.js';
import { isComparison } from '../../expr/operators.js';
import { conjuncts } from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { analyzeIntervals, type Interval, numberOf, supportsIntervals } from './interval-analysis.js';

const NO_INTERVALS: ReadonlyMap<number, Interval> = new Map();

/** The rows of `input` that pass `predicate`. `defaultSelectivity` is the percentage assumed where it cannot be analysed. */
export function filterStatistics(
  input: Statistics,
  predicate: PhysicalExpr,
  schema: Schema,
  defaultSelectivity: number,
): Statistics {
  const facts = columnFacts(predicate);
  if (facts === null) return nothing(input, schema);
  const analysis = supportsIntervals(predicate) ? analyzeIntervals(predicate, input) : undefined;
  const selectivity = analysis?.selectivity ?? defaultSelectivity / 100;
  const numRows = selected(input.numRows, selectivity);
  const totalByteSize = selected(input.totalByteSize, selectivity);
  const intervals = analysis === undefined ? NO_INTERVALS : analysis.columns;
  if (intervals === null) return { numRows, totalByteSize, columns: impossibleColumns(schema) };
  const columns = input.columns.map((column, index): ColumnStatistics => {
    const interval = intervals.get(index);
    const bounds =
      interval === undefined
        ? untouchedBounds(column, analysis !== undefined)
        : boundsOf(column, interval, schema.field(index).type);
    const isPinned = facts.pinned.has(index) || bounds.min.kind === 'exact';
    const one = numRows.kind === 'absent' ? inexact(1) : exact(1);
    return {
      ...bounds,
      nullCount: facts.nonNull.has(index) ? exact(0) : capped(toInexact(column.nullCount), numRows),
      distinctCount: isPinned ? one : capped(toInexact(column.distinctCount), numRows),
      byteSize: selected(column.byteSize, selectivity),
    };
  });
  return { numRows, totalByteSize, columns };
}

function selected(count: Precision<number>, selectivity: number): Precision<number> {
  return count.kind === 'absent' ? count : inexact(Math.ceil(count.value * selectivity));
}

function capped(count: Precision<number>, rows: Precision<number>): Precision<number> {
  if (count.kind === 'absent' || rows.kind === 'absent' || count.value <= rows.value) return count;
  return inexact(rows.value);
}

interface ColumnFacts {
  /** Columns that equal a constant in every row that passes. */
  readonly pinned: ReadonlySet<number>;
  /** Columns that a comparison keeps from being null. */
  readonly nonNull: ReadonlySet<number>;
}

/** What the AND-ed comparisons say of plain columns; null when they contradict each other. */
function columnFacts(predicate: PhysicalExpr): ColumnFacts | null {
  const pinned = new Map<number, ScalarValue>();
  const nonNull = new Set<number>();
  for (const part of conjuncts(predicate)) {
    if (part.kind !== 'binary' || !isComparison(part.op) || part.op.startsWith('IS')) continue;
    for (const [side, other] of [
      [part.left, part.right],
      [part.right, part.left],
    ] as const) {
      if (side.kind !== 'column') continue;
      nonNull.add(side.index);
      if (part.op !== '=' || other.kind !== 'literal') continue;
      const earlier = pinned.get(side.index);
      if (earlier !== undefined && !scalarValuesIdentical(earlier.value, other.value.value)) return null;
      pinned.set(side.index, other.value);
    }
  }
  return { pinned: new Set(pinned.keys()), nonNull };
}

function nothing(input: Statistics, schema: Schema): Statistics {
  const none = exact(0);
  return {
    numRows: none,
    totalByteSize: input.totalByteSize.kind === 'absent' ? ABSENT : none,
    columns: impossibleColumns(schema),
  };
}

function impossibleColumns(schema: Schema): ColumnStatistics[] {
  const none = exact(0);
  return schema.fields.map(({ type }) => {
    const bound = exact(scalar(type, null));
    return { nullCount: none, min: bound, max: bound, distinctCount: none, byteSize: none };
  });
}

/** An analysed predicate leaves the bounds of other columns as they are; a single value among them counts as exact. */
function untouchedBounds({ min, max }: ColumnStatistics, analysed: boolean): Pick<ColumnStatistics, 'min' | 'max'> {
  const single =
    analysed &&
    min.kind !== 'absent' &&
    max.kind !== 'absent' &&
    min.value.value !== null &&
    scalarValuesIdentical(min.value.value, max.value.value);
  return single ? { min: exact(min.value), max: exact(max.value) } : { min: toInexact(min), max: toInexact(max) };
}

/** New bounds of a column: exact when only one value is left, else estimates. Unchanged bounds keep their exact digits. */
function boundsOf(
  column: ColumnStatistics,
  { lo, hi }: Interval,
  type: DataType,
): Pick<ColumnStatistics, 'min' | 'max'> {
  const min = boundValue(column.min, lo, type);
  const max = boundValue(column.max, hi, type);
  if (min === undefined || max === undefined) {
    return { min: min === undefined ? ABSENT : inexact(min), max: max === undefined ? ABSENT : inexact(max) };
  }
  return lo === hi ? { min: exact(min), max: exact(max) } : { min: inexact(min), max: inexact(max) };
}

function boundValue(old: Precision<ScalarValue>, value: number, type: DataType): ScalarValue | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (old.kind !== 'absent' && numberOf(old.value) === value) return old.value;
  if (isFloating(type)) return scalar(type, value);
  const whole = Math.trunc(value);
  const isWide = type.kind === 'Int64' || type.kind === 'UInt64' || type.kind === 'Date64' || type.kind === 'Timestamp';
  return scalar(type, isWide ? BigInt(whole) : whole);
}
