import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { compareValues } from '../../columnar/value-order.js';
import { commonType } from '../scalar/coalesce.js';
import { selectRows } from './select-rows.js';
import { firstArgumentType, requireArity } from './signature.js';

/** `greatest` or `least`: nulls are left out, NaN is above all numbers. */
export function greatestLeastFunction(name: string, largest: boolean, doc: FunctionDoc): ScalarFunction {
  const sign = largest ? 1 : -1;
  return {
    name,
    aliases: [],
    volatility: 'immutable',
    strict: false,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1, Infinity);
      const type = commonType(name, argTypes);
      return argTypes.map(() => type);
    },
    returnType: firstArgumentType,
    evaluate: (input) =>
      selectRows(input, (readers, row) => {
        let best = -1;
        for (const [index, reader] of readers.entries()) {
          if (reader.isNull(row)) continue;
          const current = readers[best];
          const better =
            current === undefined ||
            sign * compareValues(reader.column.layout, reader.address(row), current.address(row)) > 0;
          if (better) best = index;
        }
        return best;
      }),
  };
}
