import { DistqError, notImplemented } from '../../base/errors.js';
import { addMonths } from '../../columnar/calendar.js';
import type { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { type DataType, type TimeUnit, typeName } from '../../columnar/data-type.js';
import { formatValue } from '../../columnar/format-value.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import type { Interval } from '../../columnar/scalar-value.js';
import type { ArithmeticOperator } from '../expr.js';
import { displayPhysicalExpr } from '../physical-expr-display.js';
import type { PhysicalBinary } from '../physical-expr.js';
import { floorDivide, isUtc, NANOS_PER_DAY, nanosPer, unitsPerDay } from '../temporal.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';

type Writer = (row: number, a: ColumnReader, b: ColumnReader, out: ColumnBuilder) => void;

/** Dates, times, timestamps, durations and intervals under `+` and `-`. */
export function compileTemporalArithmetic(
  expr: PhysicalBinary,
  op: ArithmeticOperator,
  left: EvalNode,
  right: EvalNode,
): EvalNode {
  const write = temporalOperation(expr, op);
  return (context, rows) => {
    const [a, b] = [left(context, rows), right(context, rows)];
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    return strictColumn(context, rows, [a, b], expr.type, (row, out) => {
      write(row, readA, readB, out);
    });
  };
}

function temporalOperation(expr: PhysicalBinary, op: ArithmeticOperator): Writer {
  const [left, right] = [expr.left.type, expr.right.type];
  const sign = op === '-' ? -1 : 1;
  if (op === '+' || op === '-') {
    if (right.kind === 'Interval' && left.kind === 'Interval') return intervalSum(expr, sign);
    if (right.kind === 'Interval') return moveByInterval(expr, left, sign);
    if (left.kind === 'Interval' && op === '+') return swapped(moveByInterval(expr, right, 1));
    if (right.kind === 'Duration') return moveByDuration(expr, left, right.unit, sign);
    if (left.kind === 'Duration' && op === '+') return swapped(moveByDuration(expr, right, left.unit, 1));
    if (op === '-' && left.kind === right.kind) return difference(expr, left);
  }
  throw notImplemented(`${typeName(left)} ${op} ${typeName(right)}`);
}

function swapped(write: Writer): Writer {
  return (row, a, b, out) => {
    write(row, b, a, out);
  };
}

function intervalSum(expr: PhysicalBinary, sign: number): Writer {
  return (row, a, b, out) => {
    const [x, y] = [a.interval(row), b.interval(row)];
    const months = x.months + sign * y.months;
    const days = x.days + sign * y.days;
    const nanos = x.nanos + BigInt(sign) * y.nanos;
    if (Math.abs(months) > 2 ** 31 - 1 || Math.abs(days) > 2 ** 31 - 1 || BigInt.asIntN(64, nanos) !== nanos) {
      throw outOfRange(expr, 'the sum of two intervals');
    }
    out.setInterval(row, { months, days, nanos });
  };
}

/** Months move first (clamped to the end of the month), then days, then the time; a date drops what is less than a day. */
function moveByInterval(expr: PhysicalBinary, point: DataType, sign: number): Writer {
  if (point.kind === 'Date32') {
    return (row, a, b, out) => {
      const { months, days, nanos } = b.interval(row);
      const moved = addMonths(a.i32(row), sign * months) + sign * (days + Number(nanos / NANOS_PER_DAY));
      if (moved < -(2 ** 31) || moved >= 2 ** 31) throw outOfRange(expr, formatValue(point, a.i32(row)));
      out.setI32(row, moved);
    };
  }
  if (point.kind === 'Date64') {
    return (row, a, b, out) => {
      out.setI64(row, moveInstant(expr, point, a.i64(row), 'ms', b.interval(row), sign));
    };
  }
  if (point.kind === 'Timestamp') {
    if (point.timezone !== null && !isUtc(point.timezone)) {
      throw notImplemented(`moving a timestamp in the time zone ${point.timezone} by an interval`);
    }
    return (row, a, b, out) => {
      out.setI64(row, moveInstant(expr, point, a.i64(row), point.unit, b.interval(row), sign));
    };
  }
  if (point.kind === 'Time32' || point.kind === 'Time64') {
    const [step, day] = [nanosPer(point.unit), unitsPerDay(point.unit)];
    return (row, a, b, out) => {
      const moved = (a.integer(row) + BigInt(sign) * (b.interval(row).nanos / step)) % day;
      out.setInteger(row, moved < 0n ? moved + day : moved);
    };
  }
  throw notImplemented(`moving ${typeName(point)} by an interval`);
}

function moveInstant(
  expr: PhysicalBinary,
  type: DataType,
  value: bigint,
  unit: TimeUnit,
  { months, days, nanos }: Interval,
  sign: number,
): bigint {
  const perDay = unitsPerDay(unit);
  const step = nanosPer(unit);
  const day = floorDivide(value, perDay);
  const rest = value - day * perDay;
  const movedDay = addMonths(Number(day), sign * months) + sign * days;
  const inNanos = (BigInt(movedDay) * perDay + rest) * step + BigInt(sign) * nanos;
  const moved = floorDivide(inNanos, step);
  if (BigInt.asIntN(64, moved) !== moved) throw outOfRange(expr, formatValue(type, value));
  return moved;
}

function moveByDuration(expr: PhysicalBinary, point: DataType, unit: TimeUnit, sign: number): Writer {
  if (point.kind === 'Date32') {
    return (row, a, b, out) => {
      const moved = a.i32(row) + sign * Number(b.i64(row) / unitsPerDay(unit));
      if (moved < -(2 ** 31) || moved >= 2 ** 31) throw outOfRange(expr, formatValue(point, a.i32(row)));
      out.setI32(row, moved);
    };
  }
  const inUnits =
    point.kind === 'Timestamp' || point.kind === 'Duration' || point.kind === 'Time32' || point.kind === 'Time64';
  if (!inUnits || point.unit !== unit) throw notImplemented(`${typeName(point)} with a duration in ${unit}`);
  return (row, a, b, out) => {
    const moved = a.integer(row) + BigInt(sign) * b.i64(row);
    if (BigInt.asIntN(64, moved) !== moved) throw outOfRange(expr, String(a.integer(row)));
    out.setInteger(row, moved);
  };
}

/** Date − date in days (Date64 too), timestamp − timestamp and time − time in their unit. */
function difference(expr: PhysicalBinary, type: DataType): Writer {
  const perDay = type.kind === 'Date64' ? unitsPerDay('ms') : 1n;
  return (row, a, b, out) => {
    const result = (a.integer(row) - b.integer(row)) / perDay;
    if (!fitsInteger({ kind: 'Int64' }, result)) throw outOfRange(expr, `${a.integer(row)} - ${b.integer(row)}`);
    out.setI64(row, result);
  };
}

function outOfRange(expr: PhysicalBinary, value: string): DistqError {
  return new DistqError('execution', `${value} is moved out of range in ${displayPhysicalExpr(expr)}`);
}
