import { field } from '../../columnar/data-type.js';
import type { AggregateFunction, FunctionDoc } from '../../expr/function.js';
import { extremeAccumulator } from './extreme-accumulator.js';
import { firstArgumentType, requireArity } from './signature.js';

/** `min` or `max`: any ordered type, which stays. DISTINCT changes nothing. */
export function extremeFunction(name: string, largest: boolean, doc: FunctionDoc): AggregateFunction {
  return {
    name,
    aliases: [],
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1);
      return [firstArgumentType(argTypes)];
    },
    returnType: firstArgumentType,
    nullable: true,
    stateFields: (column, argTypes) => [field(`${column}[value]`, firstArgumentType(argTypes))],
    orderSensitive: false,
    reversible: true,
    monotonicity: () => (largest ? 'increasing' : 'decreasing'),
    createAccumulator: (argTypes) => extremeAccumulator(firstArgumentType(argTypes), largest),
  };
}
