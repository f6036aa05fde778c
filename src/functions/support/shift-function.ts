import { type DataType } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { FunctionDoc, LimitEffect, WindowFunction } from '../../expr/function.js';
import { firstArgumentType, requireArity } from './signature.js';

/** `lag` or `lead`: the argument in another row of the partition, `offset` rows (default 1) away, or a default value. */
export function shiftFunction(name: string, ahead: boolean, doc: FunctionDoc): WindowFunction {
  return {
    name,
    aliases: [],
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1, 3);
      return [...argTypes];
    },
    returnType: shiftedType,
    nullable: true,
    bounded: true,
    usesFrame: false,
    reversible: true,
    ascending: false,
    limitEffect: (constants) => (ahead ? rowsAhead(constants) : { kind: 'none' }),
  };
}

/** A shift of NULLs has the type of what stands in for them. */
function shiftedType(argTypes: readonly DataType[]): DataType {
  const type = firstArgumentType(argTypes);
  return type.kind === 'Null' ? (argTypes[2] ?? type) : type;
}

function rowsAhead(constants: readonly (ScalarValue | null)[]): LimitEffect {
  if (constants.length === 1) return { kind: 'relative', rows: 1 };
  const offset = constants[1]?.value;
  if (typeof offset !== 'bigint') return { kind: 'unknown' };
  return { kind: 'relative', rows: Math.max(Number(offset), 0) };
}
