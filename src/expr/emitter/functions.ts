import { isDecimal, isFloating, isInteger } from '../../columnar/data-type.js';
import { integerRange } from '../../columnar/integer-range.js';
import type { PhysicalExpr, PhysicalScalarFunction } from '../physical-expr.js';
import { isUtc, unitsPerDay } from '../temporal.js';
import { emitCoalesce } from './case.js';
import { pushEquality, supportsComparison } from './comparison.js';
import type { EmitContext } from './emit-context.js';
import { extended } from './integer-ops.js';
import { pushNull } from './logic.js';
import { kindOfType, type Value } from './value.js';

interface EmittedFunction {
  supports(call: PhysicalScalarFunction): boolean;
  emit(context: EmitContext, call: PhysicalScalarFunction): Value;
}

/** Scalar functions that are emitted in place; every other one is called on whole columns. They must agree with `evaluate` bit for bit. */
const FUNCTIONS: ReadonlyMap<string, EmittedFunction> = new Map<string, EmittedFunction>([
  ['abs', { supports: supportsAbs, emit: emitAbs }],
  ['character_length', { supports: ({ args }) => kindOfType(args[0]!.type) === 'string', emit: emitCharacterLength }],
  [
    'coalesce',
    {
      supports: ({ args, type }) => args.every((arg) => kindOfType(arg.type) === kindOfType(type)),
      emit: (context, { args, type }) => emitCoalesce(context, args, kindOfType(type)!),
    },
  ],
  ['date_part', { supports: supportsDatePart, emit: emitDatePart }],
  ['nullif', { supports: ({ args }) => supportsComparison(args[0]!, args[1]!), emit: emitNullif }],
  ['starts_with', { supports: () => true, emit: emitStartsWith }],
  ['substr', { supports: ({ args }) => kindOfType(args[0]!.type) === 'string', emit: emitSubstr }],
]);

export function supportsFunction(call: PhysicalScalarFunction): boolean {
  return kindOfType(call.type) !== undefined && (FUNCTIONS.get(call.func.name)?.supports(call) ?? false);
}

export function emitFunction(context: EmitContext, call: PhysicalScalarFunction): Value {
  return FUNCTIONS.get(call.func.name)!.emit(context, call);
}

/** The arguments that must be emitted; the name of a date field is part of the operation. */
export function functionOperands(call: PhysicalScalarFunction): readonly PhysicalExpr[] {
  return call.func.name === 'date_part' ? call.args.slice(1) : call.args;
}

function supportsAbs({ type }: PhysicalScalarFunction): boolean {
  return isFloating(type) || isDecimal(type) || (isInteger(type) && type.kind !== 'UInt64');
}

function emitAbs(context: EmitContext, call: PhysicalScalarFunction): Value {
  const { code } = context;
  const value = context.emit(call.args[0]!);
  if (value.kind === 'f32' || value.kind === 'f64') {
    const result = context.result(value.kind, value);
    code.get(value.local).op(`${value.kind}.abs`).set(result.local);
    return result;
  }
  if (call.type.kind === 'UInt8' || call.type.kind === 'UInt16' || call.type.kind === 'UInt32') return value;
  const wide = value.kind === 'i64' ? value : extended(context, value, false);
  const positive = context.result('i64', wide);
  code.i64(0n).get(wide.local).op('i64.sub').get(wide.local);
  code.get(wide.local).i64(0n).op('i64.lt_s', 'select').set(positive.local);
  const most = integerRange(call.type)?.[1] ?? 2n ** 63n - 1n;
  context.checks.noteFailure(value.nul, () => {
    code.get(positive.local).i64(0n).op('i64.lt_s').get(positive.local).i64(most).op('i64.gt_s', 'i32.or');
  });
  if (kindOfType(call.type) === 'i64') return positive;
  const result = context.result('i32', positive);
  code.get(positive.local).op('i32.wrap_i64').set(result.local);
  return result;
}

function emitCharacterLength(context: EmitContext, call: PhysicalScalarFunction): Value {
  const { code } = context;
  const text = context.emit(call.args[0]!);
  const result = context.result(kindOfType(call.type)!, text);
  const count = context.import('kernels', 'countCodePoints', { parameters: ['i32', 'i32'], result: 'i32' });
  context.whereValid(text.nul, () => {
    code.get(text.local).get(text.length).call(count);
    if (result.kind === 'i64') code.op('i64.extend_i32_u');
    code.set(result.local);
  });
  return result;
}

function emitStartsWith(context: EmitContext, call: PhysicalScalarFunction): Value {
  const { code } = context;
  const text = context.emit(call.args[0]!);
  const prefix = context.emit(call.args[1]!);
  const result = context.result('i32', text, prefix);
  const starts = context.import('kernels', 'startsWithBytes', {
    parameters: ['i32', 'i32', 'i32', 'i32'],
    result: 'i32',
  });
  context.whereValid(result.nul, () => {
    code.get(text.local).get(text.length).get(prefix.local).get(prefix.length).call(starts).set(result.local);
  });
  return result;
}

/** A view of the argument's bytes; a negative length is a failure. */
function emitSubstr(context: EmitContext, call: PhysicalScalarFunction): Value {
  const { code } = context;
  const text = context.emit(call.args[0]!);
  const start = context.emit(call.args[1]!);
  const limited = call.args[2] !== undefined;
  const count = limited ? context.emit(call.args[2]!) : context.literal({ type: { kind: 'Int64' }, value: 2n ** 62n });
  const result = context.result('string', text, start, count);
  const substr = context.import('kernels', 'substrView', {
    parameters: ['i32', 'i32', 'i64', 'i64'],
    result: 'i64',
  });
  context.whereValid(result.nul, () => {
    const view = code.local('i64');
    context.checks.noteFailure(null, () => {
      code.get(count.local).i64(0n).op('i64.lt_s');
    });
    code.get(text.local).get(text.length).get(start.local);
    // Without a length, positions before the text do not count against it.
    if (!limited) code.i64(1n).get(start.local).i64(1n).op('i64.gt_s', 'select');
    code.get(count.local).call(substr).set(view);
    code.get(view).op('i32.wrap_i64').set(result.local);
    code.get(view).i64(32n).op('i64.shr_u', 'i32.wrap_i64').set(result.length);
  });
  return result;
}

function emitNullif(context: EmitContext, call: PhysicalScalarFunction): Value {
  const { code } = context;
  const [left, right] = [call.args[0]!, call.args[1]!];
  const a = context.emit(left);
  const b = context.emit(right);
  const equal = code.local('i32');
  code.i32(0).set(equal);
  context.whereValid(context.anyNull([a, b]), () => {
    pushEquality(context, left, right, a, b);
    code.set(equal);
  });
  const nul = code.local('i32');
  pushNull(context, a);
  code.get(equal).op('i32.or').set(nul);
  return { ...a, nul };
}

const DAY_PARTS = ['year', 'years', 'quarter', 'quarters', 'month', 'months', 'day', 'days', 'doy', 'dow'];

function partName(call: PhysicalScalarFunction): string {
  const field = call.args[0]!;
  return field.kind === 'literal' && typeof field.value.value === 'string' ? field.value.value.toLowerCase() : '';
}

function supportsDatePart(call: PhysicalScalarFunction): boolean {
  const { type } = call.args[1]!;
  if (!DAY_PARTS.includes(partName(call))) return false;
  return type.kind === 'Date32' || (type.kind === 'Timestamp' && (type.timezone === null || isUtc(type.timezone)));
}

function emitDatePart(context: EmitContext, call: PhysicalScalarFunction): Value {
  const { code } = context;
  const value = context.emit(call.args[1]!);
  const result = context.result('i32', value);
  const days = pushableDays(context, call.args[1]!, value);
  const unary = (kernel: string): number => context.import('kernels', kernel, { parameters: ['i32'], result: 'i32' });
  const part = partName(call);
  switch (part.replace(/s$/, '')) {
    case 'year':
      code.get(days).call(unary('yearOfDays'));
      break;
    case 'quarter': {
      // (month + 2) ÷ 3 by multiplication: 171 ÷ 512 is close enough for 3 … 14.
      code.get(days).call(unary('monthOfDays')).i32(2).op('i32.add').i32(171).op('i32.mul').i32(9).op('i32.shr_u');
      break;
    }
    case 'month':
      code.get(days).call(unary('monthOfDays'));
      break;
    case 'day':
      code.get(days).call(unary('dayOfDays'));
      break;
    case 'doy':
      code.get(days).call(unary('dayOfYearOfDays'));
      break;
    default: {
      // Day of the week: ((days + 4) mod 7 + 7) mod 7, 1970-01-01 being a Thursday.
      const rest = code.local('i64');
      code.get(days).op('i64.extend_i32_s').i64(4n).op('i64.add').i64(7n).op('i64.rem_s').set(rest);
      code.get(rest).i64(7n).op('i64.add').i64(7n).op('i64.rem_s', 'i32.wrap_i64');
    }
  }
  code.set(result.local);
  return result;
}

/** The local of the day number; days that leave 32 bits are a failure (the interpreter does them). */
function pushableDays(context: EmitContext, expr: PhysicalExpr, value: Value): number {
  if (expr.type.kind !== 'Timestamp') return value.local;
  const { code } = context;
  const perDay = unitsPerDay(expr.type.unit);
  const wide = code.local('i64');
  const days = code.local('i32');
  code.get(value.local).i64(perDay).op('i64.div_s');
  code.get(value.local).i64(perDay).op('i64.rem_s').i64(0n).op('i64.lt_s', 'i64.extend_i32_u', 'i64.sub').set(wide);
  code.get(wide).op('i32.wrap_i64').set(days);
  context.checks.noteFailure(value.nul, () => {
    code.get(wide).get(days).op('i64.extend_i32_s', 'i64.ne');
  });
  return days;
}
