import { isInteger } from '../../columnar/data-type.js';
import type { FunctionDoc, LimitEffect, WindowFunction } from '../../expr/function.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import { firstArgumentType, requireArity, wrongArguments } from './signature.js';

/** The argument in one row of the frame: the first, the last or the nth. */
export function frameValueFunction(name: string, doc: FunctionDoc, takesPosition = false): WindowFunction {
  return {
    name,
    aliases: [],
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, takesPosition ? 2 : 1);
      const [, position] = argTypes;
      if (position !== undefined && !isInteger(position)) {
        throw wrongArguments(name, argTypes, 'a value and a whole number');
      }
      return [...argTypes];
    },
    returnType: firstArgumentType,
    nullable: true,
    bounded: true,
    usesFrame: true,
    reversible: true,
    ascending: false,
    limitEffect: (constants) => (takesPosition ? rowsFromStart(constants) : { kind: 'none' }),
  };
}

function rowsFromStart([, position]: readonly (ScalarValue | null)[]): LimitEffect {
  const value = position?.value;
  if (typeof value !== 'bigint') return { kind: 'unknown' };
  return { kind: 'absolute', rows: Math.abs(Number(value)) };
}
