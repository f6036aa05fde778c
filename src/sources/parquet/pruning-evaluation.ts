import { type DataType, isDecimal, isFloating, isInteger, isString, typesEqual } from '../../columnar/data-type.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { columnBounds, type Comparable, comparableOf, compareComparables } from './column-bounds.js';
import type { ParquetFooter } from './footer.js';
import { likePrefix } from './like-prefix.js';
import type { PruningPredicate, RequiredStatistic } from './pruning-predicate.js';

/** A value, or null for what statistics do not say: every doubt keeps the row group. */
type Known = Comparable | null;

/**
 * False when no row of the row group can satisfy the predicate. `leafOf` gives a table column's leaf in this file, −1 when it has
 * none, and `typeOf` its type.
 */
export function mayMatch(
  predicate: PruningPredicate,
  footer: ParquetFooter,
  rowGroup: number,
  leafOf: (column: number) => number,
  typeOf: (column: number) => DataType,
): boolean {
  const statistics = predicate.required.map((required) => statistic(required, footer, rowGroup, leafOf, typeOf));
  return evaluate(predicate.expr, statistics) !== false;
}

function statistic(
  { kind, column }: RequiredStatistic,
  footer: ParquetFooter,
  rowGroup: number,
  leafOf: (column: number) => number,
  typeOf: (column: number) => DataType,
): Known {
  const rows = footer.rows(rowGroup);
  if (kind === 'row_count') return BigInt(rows);
  const leaf = leafOf(column);
  if (leaf < 0) return null;
  const stored = footer.statistics(rowGroup, leaf);
  if (kind === 'null_count') {
    return stored.nullCount === null || stored.nullCount > rows ? null : BigInt(stored.nullCount);
  }
  const type = typeOf(column);
  // NaN is above every number, and writers leave it out of the bounds: the greatest value is never known.
  if (kind === 'max' && isFloating(type)) return null;
  return columnBounds(stored, footer.schema.leaves[leaf]!, type)[kind];
}

function evaluate(expr: PhysicalExpr, statistics: readonly Known[]): Known {
  switch (expr.kind) {
    case 'column':
      return statistics[expr.index] ?? null;
    case 'literal':
      return comparableOf(expr.value);
    case 'binary': {
      const left = evaluate(expr.left, statistics);
      if (expr.op === 'AND' && left === false) return false;
      if (expr.op === 'OR' && left === true) return true;
      const right = evaluate(expr.right, statistics);
      if (expr.op === 'AND') return right === false ? false : left === null || right === null ? null : true;
      if (expr.op === 'OR') return right === true ? true : left === null || right === null ? null : false;
      if (left === null || right === null || !typesEqual(expr.left.type, expr.right.type)) return null;
      return compare(left, expr.op, right);
    }
    case 'not': {
      const value = evaluate(expr.expr, statistics);
      return typeof value === 'boolean' ? !value : null;
    }
    case 'negative': {
      const value = evaluate(expr.expr, statistics);
      return typeof value === 'number' || typeof value === 'bigint' ? -value : null;
    }
    case 'cast': {
      const value = evaluate(expr.expr, statistics);
      return value === null ? null : castComparable(value, expr.expr.type, expr.type);
    }
    case 'like':
      return notLikePrefix(evaluate(expr.expr, statistics), expr);
    case 'is_null':
    case 'in_list':
    case 'case':
    case 'scalar_function':
    case 'dynamic_filter':
      return null;
  }
}

function compare(left: Comparable, op: string, right: Comparable): Known {
  const order = compareComparables(left, right);
  switch (op) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return null;
  }
}

/** `bound NOT LIKE 'prefix%'`, the one form of LIKE in pruning predicates. */
function notLikePrefix(bound: Known, like: Extract<PhysicalExpr, { kind: 'like' }>): Known {
  if (!(bound instanceof Uint8Array) || !like.negated || like.pattern.kind !== 'literal') return null;
  const pattern = like.pattern.value.value;
  if (typeof pattern !== 'string') return null;
  const { prefix, rest } = likePrefix(pattern, like.escape);
  if (rest !== '%') return null;
  const bytes = Buffer.from(prefix);
  // Both bounds with the prefix: so has everything between. A bound cut by its writer may lack it, which only keeps the row group.
  return bound.length < bytes.length || Buffer.compare(bound.subarray(0, bytes.length), bytes) !== 0;
}

const UNIT_SCALE = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const;
const SECONDS_PER_DAY = 86_400n;

/** Casts that keep the order; null for those whose rounding is another's business. */
function castComparable(value: Comparable, from: DataType, to: DataType): Known {
  if (typesEqual(from, to) || (isString(from) && isString(to))) return value;
  if (isDecimal(to)) {
    const scale = isDecimal(from) ? from.scale : isInteger(from) ? 0 : undefined;
    if (scale === undefined || scale > to.scale || typeof value === 'boolean' || value instanceof Uint8Array)
      return null;
    return BigInt(value) * 10n ** BigInt(to.scale - scale);
  }
  if (isInteger(from) && isInteger(to) && (typeof value === 'number' || typeof value === 'bigint')) {
    return integerFor(to, BigInt(value));
  }
  if (isInteger(from) && to.kind === 'Float64' && (typeof value === 'number' || typeof value === 'bigint')) {
    const converted = Number(value);
    return Number.isSafeInteger(converted) ? converted : null;
  }
  if (from.kind === 'Timestamp' && to.kind === 'Date32' && typeof value === 'bigint') {
    const perDay = SECONDS_PER_DAY * UNIT_SCALE[from.unit];
    const days = value / perDay;
    return Number(value < 0n && days * perDay !== value ? days - 1n : days);
  }
  if (from.kind === 'Float32' && to.kind === 'Float64') return value;
  if (to.kind === 'Timestamp') {
    const target = UNIT_SCALE[to.unit];
    if (from.kind === 'Date32' && typeof value === 'number') return BigInt(value) * SECONDS_PER_DAY * target;
    if (from.kind === 'Timestamp' && typeof value === 'bigint' && UNIT_SCALE[from.unit] <= target) {
      return value * (target / UNIT_SCALE[from.unit]);
    }
  }
  return null;
}

/** The value in the form the type has, or null when it does not fit. */
function integerFor(type: DataType, value: bigint): Known {
  const bits = Number(/\d+$/.exec(type.kind)?.[0] ?? 0);
  const fits = type.kind.startsWith('U') ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value;
  if (!fits) return null;
  return bits === 64 ? value : Number(value);
}
