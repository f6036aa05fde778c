import { type DataType, isBinary, isDecimal, isFloating, isInteger, isString } from '../../columnar/data-type.js';
import { integerRange } from '../../columnar/integer-range.js';
import type { PhysicalCast } from '../physical-expr.js';
import { unitsPerDay, unitsPerSecond } from '../temporal.js';
import { extended, timesConstant } from './integer-ops.js';
import type { EmitContext } from './emit-context.js';
import { isUnsignedType, kindOfType, type Value } from './value.js';

const MIN_I64 = -(2n ** 63n);
const MAX_I64 = 2n ** 63n - 1n;

/** Casts among numbers, dates and timestamps; TRY_CAST, whose failures are values, stays with the interpreter. */
export function supportsCast(expr: PhysicalCast): boolean {
  const [from, to] = [expr.expr.type, expr.type];
  if (isText(from) && isText(to)) return true;
  if (expr.safe || from.kind === 'UInt64' || to.kind === 'UInt64') return false;
  if (to.kind === 'Boolean') return isInteger(from);
  if (from.kind === 'Boolean') return isInteger(to) || isFloating(to);
  if (isDecimal(to)) {
    const scale = isDecimal(from) ? from.scale : 0;
    return (isDecimal(from) || isInteger(from) || isFloating(from)) && Math.abs(to.scale - scale) <= 18;
  }
  if (isDecimal(from)) return (isInteger(to) || isFloating(to)) && from.scale >= 0 && from.scale <= 18;
  const number = (type: DataType): boolean => isInteger(type) || isFloating(type);
  if (number(from) && number(to)) return true;
  if (from.kind === 'Date32') return to.kind === 'Timestamp' || to.kind === 'Int32' || to.kind === 'Int64';
  if (from.kind === 'Timestamp') return to.kind === 'Int64' || to.kind === 'Date32' || to.kind === 'Timestamp';
  return from.kind === 'Int32' && to.kind === 'Date32';
}

function isText(type: DataType): boolean {
  return isString(type) || isBinary(type);
}

export function emitCast(context: EmitContext, expr: PhysicalCast): Value {
  const [from, to] = [expr.expr.type, expr.type];
  const value = context.emit(expr.expr);
  if (isText(to)) return value;
  if (to.kind === 'Boolean') return emitTruth(context, value);
  if (isDecimal(to)) return toDecimal(context, value, from, to);
  if (isFloating(to)) return toFloat(context, value, from, to);
  if (to.kind === 'Timestamp') return toTimestamp(context, value, from, to.unit);
  if (isFloating(from)) return floatToInteger(context, value, to);
  if (from.kind === 'Timestamp' && to.kind === 'Date32') return timestampToDate(context, value, from.unit);
  const wide = value.kind === 'i64' ? value : extended(context, value, isUnsignedType(from));
  if (isDecimal(from) && from.scale > 0) {
    return narrowed(context, quotient(context, wide, 10n ** BigInt(from.scale)), to);
  }
  return narrowed(context, wide, to);
}

function emitTruth(context: EmitContext, value: Value): Value {
  const result = context.result('i32', value);
  if (value.kind === 'i64') context.code.get(value.local).i64(0n).op('i64.ne').set(result.local);
  else context.code.get(value.local).i32(0).op('i32.ne').set(result.local);
  return result;
}

/** An i64 in the target's layout; what does not fit is a failure. */
function narrowed(context: EmitContext, wide: Value, to: DataType): Value {
  const { code } = context;
  const stored: DataType = to.kind === 'Date32' ? { kind: 'Int32' } : to;
  const range = integerRange(stored);
  if (range !== undefined && stored.kind !== 'Int64') {
    context.checks.noteFailure(wide.nul, () => {
      code.get(wide.local).i64(range[0]).op('i64.lt_s').get(wide.local).i64(range[1]).op('i64.gt_s', 'i32.or');
    });
  }
  if (kindOfType(to) === 'i64') return wide;
  const result = context.result('i32', wide);
  code.get(wide.local).op('i32.wrap_i64').set(result.local);
  return result;
}

/** Towards zero. */
function quotient(context: EmitContext, value: Value, divisor: bigint): Value {
  const result = context.result('i64', value);
  context.code.get(value.local).i64(divisor).op('i64.div_s').set(result.local);
  return result;
}

/** Down, for instants before 1970. */
function floorQuotient(context: EmitContext, value: Value, divisor: bigint): Value {
  const { code } = context;
  const result = context.result('i64', value);
  code.get(value.local).i64(divisor).op('i64.div_s');
  code.get(value.local).i64(divisor).op('i64.rem_s').i64(0n).op('i64.lt_s', 'i64.extend_i32_u', 'i64.sub');
  code.set(result.local);
  return result;
}

function toFloat(context: EmitContext, value: Value, from: DataType, to: DataType): Value {
  const { code } = context;
  const result = context.result(to.kind === 'Float32' ? 'f32' : 'f64', value);
  code.get(value.local);
  if (value.kind === 'f64') {
    code.op('f32.demote_f64');
  } else if (value.kind === 'f32') {
    code.op('f64.promote_f32');
  } else {
    if (value.kind === 'i32') code.op(isUnsignedType(from) ? 'i64.extend_i32_u' : 'i64.extend_i32_s');
    code.op('f64.convert_i64_s');
    if (isDecimal(from) && from.scale !== 0) code.f64(10 ** from.scale).op('f64.div');
    if (result.kind === 'f32') code.op('f32.demote_f64');
  }
  code.set(result.local);
  return result;
}

/** The value in f64, whatever its width. */
function asDouble(context: EmitContext, value: Value): number {
  if (value.kind === 'f64') return value.local;
  const local = context.code.local('f64');
  context.code.get(value.local).op('f64.promote_f32').set(local);
  return local;
}

function floatToInteger(context: EmitContext, value: Value, to: DataType): Value {
  const { code } = context;
  const whole = code.local('f64');
  code.get(asDouble(context, value)).op('f64.trunc').set(whole);
  noteOutside63Bits(context, value.nul, whole);
  const wide = context.result('i64', value);
  code.get(whole).truncSat('f64').set(wide.local);
  return narrowed(context, wide, to);
}

/** Notes a failure for NaN and for what lies outside the i64 range. */
function noteOutside63Bits(context: EmitContext, nul: number | null, double: number): void {
  context.checks.noteFailure(nul, () => {
    // 2^63 is exact in f64; NaN fails both comparisons.
    context.code
      .get(double)
      .f64(-(2 ** 63))
      .op('f64.ge')
      .get(double)
      .f64(2 ** 63)
      .op('f64.lt', 'i32.and', 'i32.eqz');
  });
}

function toDecimal(
  context: EmitContext,
  value: Value,
  from: DataType,
  to: Extract<DataType, { kind: 'Decimal128' }>,
): Value {
  const unscaled = isFloating(from)
    ? floatToUnscaled(context, value, to.scale)
    : rescaled(context, value, from, to.scale);
  if (to.precision < 19) {
    const limit = 10n ** BigInt(to.precision);
    context.checks.noteFailure(unscaled.nul, () => {
      context.code
        .get(unscaled.local)
        .i64(-limit)
        .op('i64.le_s')
        .get(unscaled.local)
        .i64(limit)
        .op('i64.ge_s', 'i32.or');
    });
  }
  return unscaled;
}

/** Halves go away from zero, as Rust's `round` has it. */
function floatToUnscaled(context: EmitContext, value: Value, scale: number): Value {
  const { code } = context;
  const product = code.local('f64');
  const whole = code.local('f64');
  code
    .get(asDouble(context, value))
    .f64(10 ** scale)
    .op('f64.mul')
    .tee(product)
    .op('f64.trunc')
    .set(whole);
  code.get(whole).f64(1).get(product).op('f64.copysign', 'f64.add').get(whole);
  code.get(product).get(whole).op('f64.sub', 'f64.abs').f64(0.5).op('f64.ge', 'select').set(whole);
  noteOutside63Bits(context, value.nul, whole);
  const result = context.result('i64', value);
  code.get(whole).truncSat('f64').set(result.local);
  return result;
}

function rescaled(context: EmitContext, value: Value, from: DataType, scale: number): Value {
  const wide = value.kind === 'i64' ? value : extended(context, value, isUnsignedType(from));
  const shift = scale - (isDecimal(from) ? from.scale : 0);
  if (shift >= 0) return timesConstant(context, wide, 10n ** BigInt(shift));
  const { code } = context;
  const divisor = 10n ** BigInt(-shift);
  const half = divisor / 2n;
  // Half is added away from zero before the cut towards zero.
  const moved = context.result('i64', wide);
  code
    .get(wide.local)
    .i64(-half)
    .i64(half)
    .get(wide.local)
    .i64(0n)
    .op('i64.lt_s', 'select', 'i64.add')
    .set(moved.local);
  context.checks.noteFailure(wide.nul, () => {
    code
      .get(wide.local)
      .i64(MAX_I64 - half)
      .op('i64.gt_s');
    code
      .get(wide.local)
      .i64(MIN_I64 + half)
      .op('i64.lt_s', 'i32.or');
  });
  return quotient(context, moved, divisor);
}

function toTimestamp(context: EmitContext, value: Value, from: DataType, unit: 's' | 'ms' | 'us' | 'ns'): Value {
  if (from.kind === 'Date32') return timesConstant(context, extended(context, value, false), unitsPerDay(unit));
  const [old, wanted] = [unitsPerSecond(from.kind === 'Timestamp' ? from.unit : unit), unitsPerSecond(unit)];
  return wanted >= old ? timesConstant(context, value, wanted / old) : quotient(context, value, old / wanted);
}

function timestampToDate(context: EmitContext, value: Value, unit: 's' | 'ms' | 'us' | 'ns'): Value {
  return narrowed(context, floorQuotient(context, value, unitsPerDay(unit)), { kind: 'Date32' });
}
