import type { EmitContext } from './emit-context.js';
import type { Value } from './value.js';

/** A 32-bit value in 64 bits. */
export function extended(context: EmitContext, value: Value, unsigned: boolean): Value {
  const local = context.code.local('i64');
  context.code
    .get(value.local)
    .op(unsigned ? 'i64.extend_i32_u' : 'i64.extend_i32_s')
    .set(local);
  return { kind: 'i64', local, length: -1, nul: value.nul };
}

/**
 * Checks a sum or difference: by the widths of its operands, or in precise code by itself: a + b overflowed when both have the sign that the result has not; a − b when the signs differ and the result's is not
 * a's.
 */
export function checkSum(context: EmitContext, op: '+' | '-', a: Value, b: Value, result: Value): void {
  if (!context.checks.precise) {
    context.checks.boundSum(a, b, result);
    return;
  }
  const { code } = context;
  context.checks.noteOverflow(result.nul, () => {
    code.get(a.local).get(result.local).op('i64.xor');
    if (op === '+') code.get(b.local).get(result.local).op('i64.xor', 'i64.and');
    else code.get(a.local).get(b.local).op('i64.xor', 'i64.and');
  });
}

/** value × factor, checked. */
export function timesConstant(context: EmitContext, value: Value, factor: bigint): Value {
  if (factor === 1n) return value;
  const result = context.result('i64', value);
  context.code.get(value.local).i64(factor).op('i64.mul').set(result.local);
  context.checks.boundProduct(value, factor, result);
  return result;
}
