import { isDecimal, isFloating, isInteger } from '../../columnar/data-type.js';
import { integerRange } from '../../columnar/integer-range.js';
import type { ArithmeticOperator } from '../expr.js';
import type { PhysicalBinary, PhysicalNegative } from '../physical-expr.js';
import type { EmitContext } from './emit-context.js';
import { emitTemporalArithmetic, supportsTemporalArithmetic } from './temporal.js';
import { extended, checkSum, timesConstant } from './integer-ops.js';
import { kindOfType, type Value } from './value.js';

const MIN_I64 = -(2n ** 63n);
const MAX_I64 = 2n ** 63n - 1n;

export function supportsArithmetic(expr: PhysicalBinary, op: ArithmeticOperator): boolean {
  const { left, right, type } = expr;
  if (isDecimal(left.type) && isDecimal(right.type)) return decimalFactors(expr, op) !== undefined;
  // V8's float remainder is not an instruction, and u64 arithmetic is rare: both stay with the interpreter.
  if (isFloating(type)) return op !== '%' && left.type.kind === type.kind && right.type.kind === type.kind;
  if (isInteger(type) && isInteger(left.type)) return type.kind !== 'UInt64' && left.type.kind === right.type.kind;
  return supportsTemporalArithmetic(expr, op);
}

export function emitArithmetic(context: EmitContext, expr: PhysicalBinary, op: ArithmeticOperator): Value {
  if (isDecimal(expr.left.type) && isDecimal(expr.right.type)) return emitDecimal(context, expr, op);
  if (isFloating(expr.type)) return emitFloat(context, expr, op);
  if (isInteger(expr.type) && isInteger(expr.left.type)) return emitInteger(context, expr, op);
  return emitTemporalArithmetic(context, expr, op);
}

function emitFloat(context: EmitContext, expr: PhysicalBinary, op: ArithmeticOperator): Value {
  const a = context.emit(expr.left);
  const b = context.emit(expr.right);
  const width = a.kind === 'f32' ? 'f32' : 'f64';
  const result = context.result(width, a, b);
  const name = op === '+' ? 'add' : op === '-' ? 'sub' : op === '*' ? 'mul' : 'div';
  context.code.get(a.local).get(b.local).op(`${width}.${name}`).set(result.local);
  return result;
}

function emitInteger(context: EmitContext, expr: PhysicalBinary, op: ArithmeticOperator): Value {
  const a = context.emit(expr.left);
  const b = context.emit(expr.right);
  if (a.kind === 'i64') return emitInt64(context, op, a, b);
  // Narrower integers compute in 64 bits, where they cannot overflow, and are checked against their range.
  const wideA = extended(context, a, expr.left.type.kind === 'UInt32');
  const wideB = extended(context, b, expr.right.type.kind === 'UInt32');
  const wide = context.result('i64', wideA, wideB);
  pushUnchecked(context, op, wideA, wideB, wide.nul);
  context.code.set(wide.local);
  const [least, most] = integerRange(expr.type)!;
  context.checks.noteFailure(wide.nul, () => {
    context.code.get(wide.local).i64(least).op('i64.lt_s').get(wide.local).i64(most).op('i64.gt_s', 'i32.or');
  });
  const result = context.result('i32', wide);
  context.code.get(wide.local).op('i32.wrap_i64').set(result.local);
  return result;
}

function pushUnchecked(context: EmitContext, op: ArithmeticOperator, a: Value, b: Value, nul: number | null): void {
  const { code } = context;
  switch (op) {
    case '+':
      code.get(a.local).get(b.local).op('i64.add');
      return;
    case '-':
      code.get(a.local).get(b.local).op('i64.sub');
      return;
    case '*':
      code.get(a.local).get(b.local).op('i64.mul');
      return;
    case '/':
    case '%':
      pushDivision(context, op, a, b, nul);
      return;
  }
}

/** Signed division or remainder; a zero divisor (and MIN / −1) is noted as a failure and never reaches the instruction. */
function pushDivision(context: EmitContext, op: '/' | '%', a: Value, b: Value, nul: number | null): void {
  const { code } = context;
  const bad = code.local('i32');
  code.get(b.local).op('i64.eqz');
  code.get(a.local).i64(MIN_I64).op('i64.eq').get(b.local).i64(-1n).op('i64.eq', 'i32.and', 'i32.or').set(bad);
  context.checks.noteFailure(nul, () => {
    code.get(bad);
  });
  code
    .get(a.local)
    .i64(1n)
    .get(b.local)
    .get(bad)
    .op('select', op === '/' ? 'i64.div_s' : 'i64.rem_s');
}

function emitInt64(context: EmitContext, op: ArithmeticOperator, a: Value, b: Value): Value {
  const result = context.result('i64', a, b);
  pushUnchecked(context, op, a, b, result.nul);
  context.code.set(result.local);
  if (op === '*') context.checks.boundProduct(a, b, result);
  else if (op === '+' || op === '-') checkSum(context, op, a, b, result);
  return result;
}

/** Powers of ten by which the operands of a decimal operation are scaled first; undefined when one does not fit 63 bits. */
function decimalFactors(expr: PhysicalBinary, op: ArithmeticOperator): readonly [bigint, bigint] | undefined {
  const { left, right, type } = expr;
  if (!isDecimal(left.type) || !isDecimal(right.type) || !isDecimal(type)) return undefined;
  const [s1, s2, s] = [left.type.scale, right.type.scale, type.scale];
  const exponents = ((): readonly [number, number] => {
    switch (op) {
      case '+':
      case '-':
        return [s - s1, s - s2];
      case '*':
        return [0, 0];
      case '/': {
        const shift = s - s1 + s2;
        return shift >= 0 ? [shift, 0] : [0, -shift];
      }
      case '%': {
        const common = Math.max(s1, s2);
        return [common - s1, common - s2];
      }
    }
  })();
  if (exponents.some((exponent) => exponent < 0 || exponent > 18)) return undefined;
  return [10n ** BigInt(exponents[0]), 10n ** BigInt(exponents[1])];
}

function emitDecimal(context: EmitContext, expr: PhysicalBinary, op: ArithmeticOperator): Value {
  const factors = decimalFactors(expr, op)!;
  const a = scaled(context, expr.left, factors[0]);
  const b = scaled(context, expr.right, factors[1]);
  return emitInt64(context, op, a, b);
}

function scaled(context: EmitContext, expr: PhysicalBinary['left'], factor: bigint): Value {
  if (expr.kind === 'literal' && typeof expr.value.value === 'bigint') {
    const product = expr.value.value * factor;
    if (product >= MIN_I64 && product <= MAX_I64) {
      return context.literal({ type: { kind: 'Int64' }, value: product });
    }
  }
  return timesConstant(context, context.emit(expr), factor);
}

export function supportsNegative(expr: PhysicalNegative): boolean {
  const { type } = expr;
  return isFloating(type) || isDecimal(type) || (isInteger(type) && type.kind !== 'UInt64');
}

export function emitNegative(context: EmitContext, expr: PhysicalNegative): Value {
  const value = context.emit(expr.expr);
  const { code } = context;
  if (value.kind === 'f32' || value.kind === 'f64') {
    const result = context.result(value.kind, value);
    code.get(value.local).op(`${value.kind}.neg`).set(result.local);
    return result;
  }
  const wide = value.kind === 'i64' ? value : extended(context, value, expr.type.kind === 'UInt32');
  const negated = context.result('i64', wide);
  code.i64(0n).get(wide.local).op('i64.sub').set(negated.local);
  const [least, most] = integerRange(expr.type) ?? [MIN_I64, MAX_I64];
  context.checks.noteFailure(value.nul, () => {
    code.get(wide.local).i64(MIN_I64).op('i64.eq');
    code.get(negated.local).i64(least).op('i64.lt_s', 'i32.or');
    code.get(negated.local).i64(most).op('i64.gt_s', 'i32.or');
  });
  if (kindOfType(expr.type) === 'i64') return negated;
  const result = context.result('i32', negated);
  code.get(negated.local).op('i32.wrap_i64').set(result.local);
  return result;
}
