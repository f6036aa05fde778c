import type { DataType } from '../../columnar/data-type.js';
import type { Interval } from '../../columnar/scalar-value.js';
import type { ArithmeticOperator } from '../expr.js';
import type { PhysicalBinary, PhysicalExpr } from '../physical-expr.js';
import { isUtc, NANOS_PER_DAY, nanosPer, unitsPerDay } from '../temporal.js';
import { extended, checkSum } from './integer-ops.js';
import type { EmitContext } from './emit-context.js';
import type { Value } from './value.js';

interface Move {
  readonly point: PhysicalExpr;
  readonly interval: Interval;
  readonly sign: 1 | -1;
}

/** `point ± constant interval`, the form that queries write. */
function asMove(expr: PhysicalBinary, op: ArithmeticOperator): Move | undefined {
  if (op !== '+' && op !== '-') return undefined;
  const right = constantInterval(expr.right);
  if (right !== undefined) return { point: expr.left, interval: right, sign: op === '+' ? 1 : -1 };
  const left = op === '+' ? constantInterval(expr.left) : undefined;
  return left === undefined ? undefined : { point: expr.right, interval: left, sign: 1 };
}

function constantInterval(expr: PhysicalExpr): Interval | undefined {
  if (expr.kind !== 'literal' || expr.type.kind !== 'Interval') return undefined;
  const { value } = expr.value;
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? value : undefined;
}

export function supportsTemporalArithmetic(expr: PhysicalBinary, op: ArithmeticOperator): boolean {
  const move = asMove(expr, op);
  if (move !== undefined) {
    const { type } = move.point;
    if (type.kind === 'Date32') return true;
    if (type.kind !== 'Timestamp' || (type.timezone !== null && !isUtc(type.timezone))) return false;
    return move.interval.months === 0 && move.interval.nanos % nanosPer(type.unit) === 0n;
  }
  if (op !== '-' || expr.left.type.kind !== expr.right.type.kind) return false;
  return expr.left.type.kind === 'Date32' || expr.left.type.kind === 'Timestamp';
}

/** The operands that must be emitted: an interval constant is part of the operation. */
export function temporalOperands(expr: PhysicalBinary, op: ArithmeticOperator): readonly PhysicalExpr[] {
  const move = asMove(expr, op);
  return move === undefined ? [expr.left, expr.right] : [move.point];
}

export function emitTemporalArithmetic(context: EmitContext, expr: PhysicalBinary, op: ArithmeticOperator): Value {
  const move = asMove(expr, op);
  if (move !== undefined) {
    return move.point.type.kind === 'Date32' ? moveDate(context, move) : moveTimestamp(context, move, move.point.type);
  }
  const a = context.emit(expr.left);
  const b = context.emit(expr.right);
  if (a.kind === 'i32') {
    const result = context.result('i64', a, b);
    const [wideA, wideB] = [extended(context, a, false), extended(context, b, false)];
    context.code.get(wideA.local).get(wideB.local).op('i64.sub').set(result.local);
    return result;
  }
  const result = context.result('i64', a, b);
  context.code.get(a.local).get(b.local).op('i64.sub').set(result.local);
  checkSum(context, '-', a, b, result);
  return result;
}

/** Months first, clamped to the end of the month; then days, and of the time only whole days. */
function moveDate(context: EmitContext, { point, interval, sign }: Move): Value {
  const { code } = context;
  const value = context.emit(point);
  const result = context.result('i32', value);
  const wide = code.local('i64');
  if (interval.months === 0) {
    code.get(value.local).op('i64.extend_i32_s').set(wide);
  } else {
    const addMonths = context.import('kernels', 'addMonthsToDays', { parameters: ['i32', 'i32'], result: 'f64' });
    code
      .get(value.local)
      .i32(sign * interval.months)
      .call(addMonths)
      .truncSat('f64')
      .set(wide);
  }
  const days = BigInt(sign * interval.days) + BigInt(sign) * (interval.nanos / NANOS_PER_DAY);
  code.get(wide).i64(days).op('i64.add').set(wide);
  context.checks.noteFailure(value.nul, () => {
    code.get(wide).get(wide).op('i32.wrap_i64', 'i64.extend_i32_s', 'i64.ne');
  });
  code.get(wide).op('i32.wrap_i64').set(result.local);
  return result;
}

function moveTimestamp(context: EmitContext, { point, interval, sign }: Move, type: DataType): Value {
  const unit = type.kind === 'Timestamp' ? type.unit : 'ns';
  const steps = BigInt(interval.days) * unitsPerDay(unit) + interval.nanos / nanosPer(unit);
  const value = context.emit(point);
  const distance = context.literal({ type: { kind: 'Int64' }, value: BigInt.asIntN(64, BigInt(sign) * steps) });
  const result = context.result('i64', value);
  context.code.get(value.local).get(distance.local).op('i64.add').set(result.local);
  checkSum(context, '+', value, distance, result);
  return result;
}
