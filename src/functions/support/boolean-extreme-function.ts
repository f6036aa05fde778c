import { BOOLEAN, field } from '../../columnar/data-type.js';
import type { AggregateFunction, FunctionDoc } from '../../expr/function.js';
import { extremeAccumulator } from './extreme-accumulator.js';
import { firstArgumentType, requireArity, wrongArguments } from './signature.js';

/** `bool_and` (smallest boolean) or `bool_or` (largest). */
export function booleanExtremeFunction(name: string, largest: boolean, doc: FunctionDoc): AggregateFunction {
  return {
    name,
    aliases: [],
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1);
      const { kind } = firstArgumentType(argTypes);
      if (kind !== 'Boolean' && kind !== 'Null') throw wrongArguments(name, argTypes, 'a boolean');
      return [BOOLEAN];
    },
    returnType: () => BOOLEAN,
    nullable: true,
    stateFields: (column) => [field(`${column}[${name}]`, BOOLEAN)],
    orderSensitive: false,
    createAccumulator: () => extremeAccumulator(BOOLEAN, largest),
  };
}
