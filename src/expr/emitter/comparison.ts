import { isDecimal, isFloating } from '../../columnar/data-type.js';
import type { ComparisonOperator } from '../expr.js';
import type { PhysicalBinary, PhysicalExpr } from '../physical-expr.js';
import type { EmitContext } from './emit-context.js';
import { isUnsignedType, kindOfType, type Value } from './value.js';
import type { Op } from './wasm-code.js';

type OrderOperator = Exclude<ComparisonOperator, 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM'>;

/** Longest constant that is compared by loads of its bytes instead of a call. */
const INLINE_BYTES = 16;

export function supportsComparison(left: PhysicalExpr, right: PhysicalExpr): boolean {
  if (kindOfType(left.type) === undefined || kindOfType(left.type) !== kindOfType(right.type)) return false;
  // Values of different decimal types are not comparable as they lie.
  return !isDecimal(left.type) || !isDecimal(right.type) || left.type.scale === right.type.scale;
}

export function emitComparison(context: EmitContext, expr: PhysicalBinary, op: ComparisonOperator): Value {
  const a = context.emit(expr.left);
  const b = context.emit(expr.right);
  if (op === 'IS DISTINCT FROM' || op === 'IS NOT DISTINCT FROM') return emitDistinctness(context, expr, a, b, op);
  const result = context.result('i32', a, b);
  if (a.kind === 'string') {
    context.whereValid(result.nul, () => {
      pushStringComparison(context, expr, a, b, op);
      context.code.set(result.local);
    });
    return result;
  }
  pushComparison(context, expr, a, b, op);
  context.code.set(result.local);
  return result;
}

/** Leaves 1 when `a = b`, for values that are not null. */
export function pushEquality(context: EmitContext, left: PhysicalExpr, right: PhysicalExpr, a: Value, b: Value): void {
  const expr = { left, right };
  if (a.kind === 'string') pushStringComparison(context, expr, a, b, '=');
  else pushComparison(context, expr, a, b, '=');
}

function pushComparison(
  context: EmitContext,
  expr: Pick<PhysicalBinary, 'left' | 'right'>,
  a: Value,
  b: Value,
  op: OrderOperator,
): void {
  if (isFloating(expr.left.type)) {
    pushFloatComparison(context, a, b, op, isNumber(expr.left), isNumber(expr.right));
    return;
  }
  const width = a.kind === 'i64' ? 'i64' : 'i32';
  const sign = isUnsignedType(expr.left.type) ? 'u' : 's';
  context.code
    .get(a.local)
    .get(b.local)
    .op(integerOp(width, sign, op));
}

function integerOp(width: 'i32' | 'i64', sign: 's' | 'u', op: OrderOperator): Op {
  switch (op) {
    case '=':
      return `${width}.eq`;
    case '!=':
      return `${width}.ne`;
    case '<':
      return `${width}.lt_${sign}`;
    case '<=':
      return `${width}.le_${sign}`;
    case '>':
      return `${width}.gt_${sign}`;
    case '>=':
      return `${width}.ge_${sign}`;
  }
}

/** A literal that is no NaN. */
function isNumber(expr: PhysicalExpr): boolean {
  return expr.kind === 'literal' && typeof expr.value.value === 'number' && !Number.isNaN(expr.value.value);
}

/** NaN is equal to itself and above all numbers; what is known to be a number needs no test for it. */
function pushFloatComparison(
  context: EmitContext,
  a: Value,
  b: Value,
  op: OrderOperator,
  aIsNumber: boolean,
  bIsNumber: boolean,
): void {
  const { code } = context;
  const width = a.kind === 'f32' ? 'f32' : 'f64';
  const pushNaN = (value: Value, known: boolean): void => {
    if (known) code.i32(0);
    else code.get(value.local).get(value.local).op(`${width}.ne`);
  };
  switch (op) {
    case '=':
    case '!=':
      code.get(a.local).get(b.local).op(`${width}.eq`);
      if (!aIsNumber && !bIsNumber) {
        pushNaN(a, false);
        pushNaN(b, false);
        code.op('i32.and', 'i32.or');
      }
      if (op === '!=') code.op('i32.eqz');
      return;
    case '<':
      // a < b, or b is NaN and a is not.
      code.get(a.local).get(b.local).op(`${width}.lt`);
      if (!bIsNumber) {
        pushNaN(b, false);
        pushNaN(a, aIsNumber);
        code.op('i32.eqz', 'i32.and', 'i32.or');
      }
      return;
    case '<=':
      code.get(a.local).get(b.local).op(`${width}.le`);
      if (!bIsNumber) {
        pushNaN(b, false);
        code.op('i32.or');
      }
      return;
    case '>':
      pushFloatComparison(context, b, a, '<', bIsNumber, aIsNumber);
      return;
    case '>=':
      pushFloatComparison(context, b, a, '<=', bIsNumber, aIsNumber);
      return;
  }
}

function pushStringComparison(
  context: EmitContext,
  expr: Pick<PhysicalBinary, 'left' | 'right'>,
  a: Value,
  b: Value,
  op: OrderOperator,
): void {
  const { code } = context;
  if (op === '=' || op === '!=') {
    const constant = constantBytes(expr.right) ?? constantBytes(expr.left);
    if (constant !== undefined && constant.length <= INLINE_BYTES) {
      pushEqualsConstant(context, constantBytes(expr.right) === undefined ? b : a, constant);
    } else {
      const equal = context.import('kernels', 'equalStrings', {
        parameters: ['i32', 'i32', 'i32', 'i32'],
        result: 'i32',
      });
      code.get(a.local).get(a.length).get(b.local).get(b.length).call(equal);
    }
    if (op === '!=') code.op('i32.eqz');
    return;
  }
  const compare = context.import('kernels', 'compareStrings', {
    parameters: ['i32', 'i32', 'i32', 'i32'],
    result: 'i32',
  });
  code
    .get(a.local)
    .get(a.length)
    .get(b.local)
    .get(b.length)
    .call(compare)
    .i32(0)
    .op(integerOp('i32', 's', op));
}

function constantBytes(expr: PhysicalExpr): Uint8Array | undefined {
  if (expr.kind !== 'literal') return undefined;
  const { value } = expr.value;
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  return value instanceof Uint8Array ? value : undefined;
}

/** Leaves 1 when the string has exactly these (at most 16) bytes; reads nothing unless the length is right. */
function pushEqualsConstant(context: EmitContext, value: Value, bytes: Uint8Array): void {
  const { code } = context;
  if (bytes.length === 0) {
    code.get(value.length).op('i32.eqz');
    return;
  }
  const equal = code.local('i32');
  code.i32(0).set(equal);
  code.get(value.length).i32(bytes.length).op('i32.eq');
  code.if(() => {
    code.i32(1);
    for (const [offset, width] of coveringLoads(bytes.length)) {
      const expected = Buffer.from(bytes.buffer, bytes.byteOffset + offset, width);
      code.get(value.local);
      if (width === 8) code.load('i64', offset).i64(expected.readBigInt64LE()).op('i64.eq');
      else if (width === 4) code.load('i32', offset).i32(expected.readInt32LE()).op('i32.eq');
      else if (width === 2) code.load('u16', offset).i32(expected.readUInt16LE()).op('i32.eq');
      else code.load('u8', offset).i32(expected.readUInt8()).op('i32.eq');
      code.op('i32.and');
    }
    code.set(equal);
  });
  code.get(equal);
}

/** Loads (offset, width) that together read each of `length` bytes at least once and nothing else. */
function coveringLoads(length: number): [number, 1 | 2 | 4 | 8][] {
  const width = length >= 8 ? 8 : length >= 4 ? 4 : length >= 2 ? 2 : 1;
  const loads: [number, 1 | 2 | 4 | 8][] = [[0, width]];
  if (length > width) loads.push([length - width, width]);
  return loads;
}

/** Never null: null equals null. */
function emitDistinctness(
  context: EmitContext,
  expr: PhysicalBinary,
  a: Value,
  b: Value,
  op: 'IS DISTINCT FROM' | 'IS NOT DISTINCT FROM',
): Value {
  const { code } = context;
  const same = code.local('i32');
  const nul = context.anyNull([a, b]);
  if (nul === null) {
    pushEquality(context, expr.left, expr.right, a, b);
    code.set(same);
  } else {
    code.get(nul);
    code.if(
      () => {
        pushNull(context, a);
        pushNull(context, b);
        code.op('i32.eq').set(same);
      },
      () => {
        context.scoped(() => {
          pushEquality(context, expr.left, expr.right, a, b);
          code.set(same);
        });
      },
    );
  }
  if (op === 'IS DISTINCT FROM') code.get(same).op('i32.eqz').set(same);
  return { kind: 'i32', local: same, length: -1, nul: null };
}

function pushNull(context: EmitContext, value: Value): void {
  if (value.nul === null) context.code.i32(0);
  else context.code.get(value.nul);
}
