import { isInteger } from '../../columnar/data-type.js';
import type { FunctionDoc, WindowFunction } from '../../expr/function.js';
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
    limitEffect: () => ({ kind: 'none' }),
  };
}
