import type { PhysicalInList, PhysicalLiteral } from '../physical-expr.js';
import { pushEquality, supportsComparison } from './comparison.js';
import type { EmitContext } from './emit-context.js';
import type { Value } from './value.js';

/** Longer lists go through the interpreter's hash set. */
const MAX_ITEMS = 24;

export function supportsInList(expr: PhysicalInList): boolean {
  return (
    expr.list.length <= MAX_ITEMS &&
    expr.list.every((item) => item.kind === 'literal') &&
    nonNull(expr).every((item) => supportsComparison(expr.expr, item))
  );
}

function nonNull(expr: PhysicalInList): PhysicalLiteral[] {
  return expr.list.flatMap((item) => (item.kind === 'literal' && item.value.value !== null ? [item] : []));
}

/** A row of equality tests; strings stop at the first match. */
export function emitInList(context: EmitContext, expr: PhysicalInList): Value {
  const { code } = context;
  const value = context.emit(expr.expr);
  const items = nonNull(expr);
  const found = code.local('i32');
  code.i32(0).set(found);
  if (value.kind === 'string') {
    context.whereValid(value.nul, () => {
      code.block(() => {
        for (const item of items) {
          pushEquality(context, expr.expr, item, value, context.emit(item));
          code.tee(found).branchIf(0);
        }
      });
    });
  } else {
    for (const item of items) {
      pushEquality(context, expr.expr, item, value, context.emit(item));
      code.get(found).op('i32.or').set(found);
    }
  }
  const nul = emitNulls(context, value, found, items.length < expr.list.length);
  if (expr.negated) code.get(found).op('i32.eqz').set(found);
  return { kind: 'i32', local: found, length: -1, nul };
}

/** Null when the value is, or when nothing matched and the list holds a null. */
function emitNulls(context: EmitContext, value: Value, found: number, listHasNull: boolean): number | null {
  if (!listHasNull) return value.nul;
  const { code } = context;
  const nul = code.local('i32');
  code.get(found).op('i32.eqz');
  if (value.nul !== null) code.get(value.nul).op('i32.or');
  code.set(nul);
  return nul;
}
