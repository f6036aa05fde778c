import { notImplemented } from '../../base/errors.js';
import { BOOLEAN, field } from '../../columnar/data-type.js';
import type { AggregateFunction, FunctionDoc } from '../../expr/function.js';
import { EndAccumulator } from './end-accumulator.js';
import { firstArgumentType, requireArity } from './signature.js';

/** `first_value`, `last_value` or `any_value`. Without ORDER BY the row it takes is the first (last) that happens to come. */
export function endFunction(
  name: string,
  options: { readonly last: boolean; readonly ignoreNulls: boolean },
  doc: FunctionDoc,
): AggregateFunction {
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
    stateFields: (column, argTypes) => [
      field(`${column}[${name}]`, firstArgumentType(argTypes)),
      field(`${column}[is_set]`, BOOLEAN, false),
    ],
    orderSensitive: true,
    createAccumulator(argTypes, { ignoreNulls, ordered }) {
      // Partial states of several partitions would have to carry their sort keys to be merged in order.
      if (ordered === true) throw notImplemented(`running ${name} with ORDER BY`);
      return new EndAccumulator(firstArgumentType(argTypes), options.last, ignoreNulls || options.ignoreNulls);
    },
  };
}
