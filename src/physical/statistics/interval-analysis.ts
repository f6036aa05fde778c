import { type Statistics, known } from '../../catalog/statistics.js';
import { type DataType, isFloating, isInteger } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { BinaryOperator } from '../../expr/expr.js';
import { isArithmetic, isComparison } from '../../expr/operators.js';
import { physicalExprKey } from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { floatRange } from './value-range.js';

/** Bounds of a value, both included; ±Infinity where nothing is known. Doubles: these are estimates. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

const ANYTHING: Interval = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };

export interface IntervalAnalysis {
  /** Estimated share of the rows that pass, 0 to 1. */
  readonly selectivity: number;
  /** What the predicate leaves of each column it reads, by position; null where no row can pass. */
  readonly columns: ReadonlyMap<number, Interval> | null;
}

/** Types whose values are points on a line of numbers. */
function isSupportedType(type: DataType): boolean {
  return (
    isInteger(type) || isFloating(type) || type.kind === 'Date32' || type.kind === 'Date64' || type.kind === 'Timestamp'
  );
}

const SUPPORTED_OPERATORS: ReadonlySet<BinaryOperator> = new Set([
  'AND',
  '=',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
]);

/** Whether every part of a predicate can be followed by intervals (DataFusion's `check_support`). */
export function supportsIntervals(expr: PhysicalExpr): boolean {
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return isSupportedType(expr.type);
    case 'binary':
      return SUPPORTED_OPERATORS.has(expr.op) && supportsIntervals(expr.left) && supportsIntervals(expr.right);
    case 'cast':
    case 'negative':
      return supportsIntervals(expr.expr);
    case 'not':
    case 'is_null':
    case 'like':
    case 'case':
    case 'in_list':
    case 'scalar_function':
    case 'dynamic_filter':
      return false;
  }
}

/**
 * Narrows the columns' value ranges to what the predicate lets through, and takes the shrinkage for the share of rows, columns being
 * independent and evenly spread. Source: `analyze` in apache/datafusion, physical-expr/src/analysis.rs.
 */
export function analyzeIntervals(predicate: PhysicalExpr, input: Statistics): IntervalAnalysis {
  const solver = new Solver(input);
  if (!solver.requireTrue(predicate)) return { selectivity: 0, columns: null };
  let selectivity = 1;
  for (const [index, { type, before, after }] of solver.columns) {
    const column = input.columns[index];
    const distinct = column === undefined ? undefined : known(column.distinctCount);
    if (after.lo === after.hi && distinct !== undefined && distinct > 0) selectivity *= 1 / distinct;
    else selectivity *= shrinkage(type, before, after);
  }
  return {
    selectivity: Math.min(Math.max(selectivity, 0), 1),
    columns: new Map([...solver.columns].map(([index, { after }]) => [index, after])),
  };
}

function shrinkage(type: DataType, before: Interval, after: Interval): number {
  const old = cardinality(type, before);
  const now = cardinality(type, after);
  return old === undefined || now === undefined ? 1 : now / old;
}

function cardinality(type: DataType, { lo, hi }: Interval): number | undefined {
  if (!Number.isFinite(lo) || !Number.isFinite(hi)) return undefined;
  return isFloating(type) ? floatRange(lo, hi) : hi - lo + 1;
}

/** A constant of a supported type as a number. */
export function numberOf(value: ScalarValue | undefined): number | undefined {
  if (value === undefined || (typeof value.value !== 'number' && typeof value.value !== 'bigint')) return undefined;
  return Number(value.value);
}

interface ColumnState {
  readonly type: DataType;
  readonly before: Interval;
  after: Interval;
}

class Solver {
  readonly columns = new Map<number, ColumnState>();
  readonly #input: Statistics;
  /** What is known of each part of the predicate, by structural key: equal parts share what is learnt. */
  readonly #known = new Map<string, Interval>();

  constructor(input: Statistics) {
    this.#input = input;
  }

  /** False when the condition cannot hold. */
  requireTrue(expr: PhysicalExpr): boolean {
    if (expr.kind !== 'binary') return true;
    if (expr.op === 'AND') return this.requireTrue(expr.left) && this.requireTrue(expr.right);
    if (!isComparison(expr.op)) return true;
    const left = this.#of(expr.left);
    const right = this.#of(expr.right);
    const strictLow = stepOf(expr.left.type, expr.op === '<' || expr.op === '>');
    let newLeft = left;
    let newRight = right;
    switch (expr.op) {
      case '=':
        newLeft = intersect(left, right);
        newRight = newLeft;
        break;
      case '<':
      case '<=':
        newLeft = intersect(left, { lo: ANYTHING.lo, hi: right.hi - strictLow });
        newRight = intersect(right, { lo: left.lo + strictLow, hi: ANYTHING.hi });
        break;
      case '>':
      case '>=':
        newLeft = intersect(left, { lo: right.lo + strictLow, hi: ANYTHING.hi });
        newRight = intersect(right, { lo: ANYTHING.lo, hi: left.hi - strictLow });
        break;
      case '!=':
      case 'IS DISTINCT FROM':
      case 'IS NOT DISTINCT FROM':
        return true;
    }
    // Equal end points satisfy no strict comparison, even of types that have no next value.
    if ((expr.op === '<' && left.lo >= right.hi) || (expr.op === '>' && left.hi <= right.lo)) return false;
    if (isEmpty(newLeft) || isEmpty(newRight)) return false;
    return this.#narrow(expr.left, newLeft) && this.#narrow(expr.right, newRight);
  }

  /** The part's bounds as far as they are known by now. */
  #of(expr: PhysicalExpr): Interval {
    if (expr.kind === 'column') return this.#column(expr.index, expr.type).after;
    const computed = this.#compute(expr);
    const learnt = this.#known.get(physicalExprKey(expr));
    return learnt === undefined ? computed : intersect(computed, learnt);
  }

  #compute(expr: PhysicalExpr): Interval {
    switch (expr.kind) {
      case 'literal': {
        const value = numberOf(expr.value);
        return value === undefined ? ANYTHING : { lo: value, hi: value };
      }
      case 'cast':
        return castInterval(this.#of(expr.expr), expr.expr.type, expr.type);
      case 'negative': {
        const { lo, hi } = this.#of(expr.expr);
        return { lo: -hi, hi: -lo };
      }
      case 'binary':
        return arithmetic(expr.op, this.#of(expr.left), this.#of(expr.right));
      case 'column':
      case 'not':
      case 'is_null':
      case 'like':
      case 'case':
      case 'in_list':
      case 'scalar_function':
      case 'dynamic_filter':
        return ANYTHING;
    }
  }

  #column(index: number, type: DataType): ColumnState {
    let state = this.columns.get(index);
    if (state === undefined) {
      const column = this.#input.columns[index];
      const lo = column === undefined ? undefined : numberOf(known(column.min));
      const hi = column === undefined ? undefined : numberOf(known(column.max));
      const before = { lo: lo ?? ANYTHING.lo, hi: hi ?? ANYTHING.hi };
      state = { type, before, after: before };
      this.columns.set(index, state);
    }
    return state;
  }

  /** Learns that the part lies within `to`; false when that is impossible. */
  #narrow(expr: PhysicalExpr, to: Interval): boolean {
    if (isEmpty(to)) return false;
    switch (expr.kind) {
      case 'column': {
        const state = this.#column(expr.index, expr.type);
        state.after = intersect(state.after, to);
        return !isEmpty(state.after);
      }
      case 'cast': {
        this.#known.set(physicalExprKey(expr), to);
        const below = this.#of(expr.expr);
        return this.#narrow(expr.expr, intersect(below, castInterval(to, expr.type, expr.expr.type)));
      }
      case 'negative':
        return this.#narrow(expr.expr, intersect(this.#of(expr.expr), { lo: -to.hi, hi: -to.lo }));
      case 'binary': {
        this.#known.set(physicalExprKey(expr), to);
        const left = intersect(this.#of(expr.left), inverse(expr.op, 'left', to, this.#of(expr.right)));
        if (!this.#narrow(expr.left, left)) return false;
        const right = intersect(this.#of(expr.right), inverse(expr.op, 'right', to, this.#of(expr.left)));
        return this.#narrow(expr.right, right);
      }
      case 'literal':
      case 'not':
      case 'is_null':
      case 'like':
      case 'case':
      case 'in_list':
      case 'scalar_function':
      case 'dynamic_filter':
        return true;
    }
  }
}

/** Distance to the next value, for strict comparisons. Only integers have one that DataFusion steps by. */
function stepOf(type: DataType, strict: boolean): number {
  return strict && isInteger(type) ? 1 : 0;
}

function intersect(a: Interval, b: Interval): Interval {
  return { lo: Math.max(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
}

function isEmpty({ lo, hi }: Interval): boolean {
  return lo > hi;
}

function castInterval({ lo, hi }: Interval, from: DataType, to: DataType): Interval {
  if (isFloating(from) && isInteger(to)) return { lo: Math.trunc(lo), hi: Math.trunc(hi) };
  const isNumber = (type: DataType): boolean => isInteger(type) || isFloating(type);
  // Other pairs change the unit.
  return from.kind === to.kind || (isNumber(from) && isNumber(to)) ? { lo, hi } : ANYTHING;
}

function arithmetic(op: BinaryOperator, a: Interval, b: Interval): Interval {
  if (!isArithmetic(op)) return ANYTHING;
  switch (op) {
    case '+':
      return { lo: a.lo + b.lo, hi: a.hi + b.hi };
    case '-':
      return { lo: a.lo - b.hi, hi: a.hi - b.lo };
    case '*':
      return hull([a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]);
    case '/':
      return b.lo <= 0 && b.hi >= 0 ? ANYTHING : hull([a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi]);
    case '%':
      return ANYTHING;
  }
}

function hull(values: readonly number[]): Interval {
  if (values.some(Number.isNaN)) return ANYTHING;
  return { lo: Math.min(...values), hi: Math.max(...values) };
}

/** What one operand can be when the result lies within `result` and the other operand within `other`. */
function inverse(op: BinaryOperator, operand: 'left' | 'right', result: Interval, other: Interval): Interval {
  if (!isArithmetic(op)) return ANYTHING;
  switch (op) {
    case '+':
      return arithmetic('-', result, other);
    case '-':
      return operand === 'left' ? arithmetic('+', result, other) : arithmetic('-', other, result);
    case '*':
      return arithmetic('/', result, other);
    case '/':
      return operand === 'left' ? arithmetic('*', result, other) : arithmetic('/', other, result);
    case '%':
      return ANYTHING;
  }
}
