import type { PhysicalBinary, PhysicalExpr, PhysicalIsNull, PhysicalNot } from '../physical-expr.js';
import type { EmitContext } from './emit-context.js';
import type { Value } from './value.js';

/** Three-valued AND and OR. A right side that is not cheap, or may fail, runs only where the left side leaves the result open. */
export function emitLogical(context: EmitContext, expr: PhysicalBinary, op: 'AND' | 'OR'): Value {
  const left = context.emit(expr.left);
  if (context.isCheap(expr.right)) return combine(context, op, left, context.emit(expr.right));
  const { code } = context;
  const value = code.local('i32');
  const nul = code.local('i32');
  // The left side decides alone when it is false (AND) or true (OR), and not null.
  pushDecided(context, op, left);
  code.if(
    () => {
      code.i32(op === 'AND' ? 0 : 1).set(value);
      code.i32(0).set(nul);
    },
    () => {
      context.scoped(() => {
        const both = combine(context, op, left, context.emit(expr.right));
        code.get(both.local).set(value);
        pushNull(context, both);
        code.set(nul);
      });
    },
  );
  return { kind: 'i32', local: value, length: -1, nul };
}

/** Both sides known, without a branch. */
function combine(context: EmitContext, op: 'AND' | 'OR', a: Value, b: Value): Value {
  const { code } = context;
  const value = code.local('i32');
  if (a.nul === null && b.nul === null) {
    code
      .get(a.local)
      .get(b.local)
      .op(op === 'AND' ? 'i32.and' : 'i32.or')
      .set(value);
    return { kind: 'i32', local: value, length: -1, nul: null };
  }
  const decided = code.local('i32');
  pushDecided(context, op, a);
  pushDecided(context, op, b);
  code.op('i32.or').set(decided);
  const nul = code.local('i32');
  pushNull(context, a);
  pushNull(context, b);
  code.op('i32.or').get(decided).op('i32.eqz', 'i32.and').set(nul);
  // Decided gives the dominant value, everything else the other one; under a null it is garbage anyway.
  code.get(decided);
  if (op === 'AND') code.op('i32.eqz');
  code.set(value);
  return { kind: 'i32', local: value, length: -1, nul };
}

/** Leaves 1 when the value alone decides the operation. */
function pushDecided(context: EmitContext, op: 'AND' | 'OR', value: Value): void {
  const { code } = context;
  code.get(value.local);
  if (op === 'AND') code.op('i32.eqz');
  if (value.nul !== null) code.get(value.nul).op('i32.eqz', 'i32.and');
}

export function emitNot(context: EmitContext, expr: PhysicalNot): Value {
  const inner = context.emit(expr.expr);
  const local = context.code.local('i32');
  context.code.get(inner.local).op('i32.eqz').set(local);
  return { kind: 'i32', local, length: -1, nul: inner.nul };
}

export function emitIsNull(context: EmitContext, expr: PhysicalIsNull): Value {
  const inner = context.emit(expr.expr);
  const local = context.code.local('i32');
  pushNull(context, inner);
  if (expr.negated) context.code.op('i32.eqz');
  context.code.set(local);
  return { kind: 'i32', local, length: -1, nul: null };
}

/** Leaves 1 when a boolean value is true and not null. */
export function pushTrue(context: EmitContext, value: Value): void {
  context.code.get(value.local);
  if (value.nul !== null) context.code.get(value.nul).op('i32.eqz', 'i32.and');
}

export function pushNull(context: EmitContext, value: Value): void {
  if (value.nul === null) context.code.i32(0);
  else context.code.get(value.nul);
}

/** Leaves 1 when the expression is true at the current row. */
export function pushPredicate(context: EmitContext, predicate: PhysicalExpr): void {
  pushTrue(context, context.emit(predicate));
}
