import {
  BINARY,
  type DataType,
  decimal,
  field,
  FLOAT64,
  INT64,
  isDecimal,
  isFloating,
  isSignedInteger,
  isUnsignedInteger,
  UINT64,
} from '../../columnar/data-type.js';
import type { AggregateFunction } from '../../expr/function.js';
import { DistinctAccumulator } from '../support/distinct-accumulator.js';
import { FloatSumAccumulator } from '../support/float-sum-accumulator.js';
import { firstArgumentType, requireArity, wrongArguments } from '../support/signature.js';
import { ExactSumAccumulator, sumStateType } from '../support/sum-accumulator.js';

/** Sum of the values that are not null; null when there are none. Integers and decimals are exact and checked. */
export const sum: AggregateFunction = {
  name: 'sum',
  aliases: [],
  doc: {
    summary: 'Sum of the values.',
    example: { sql: 'SELECT sum(x) FROM (VALUES (1), (2), (3)) AS t(x)', result: '6' },
  },
  coerce(argTypes) {
    requireArity('sum', argTypes, 1);
    return [summed(firstArgumentType(argTypes))];
  },
  returnType(argTypes) {
    const type = firstArgumentType(argTypes);
    return isDecimal(type) ? decimal(Math.min(38, type.precision + 10), type.scale) : type;
  },
  nullable: true,
  stateFields(name, argTypes, distinct) {
    if (distinct) return [field(`${name}[sum distinct]`, BINARY, false)];
    const type = firstArgumentType(argTypes);
    if (!isFloating(type)) return [field(`${name}[sum]`, sumStateType(type))];
    return [field(`${name}[sum]`, FLOAT64), field(`${name}[correction]`, FLOAT64)];
  },
  orderSensitive: false,
  reversible: true,
  monotonicity: (argTypes) => (isUnsignedInteger(firstArgumentType(argTypes)) ? 'increasing' : null),
  createAccumulator(argTypes, { distinct }) {
    const type = firstArgumentType(argTypes);
    const plain = isFloating(type)
      ? new FloatSumAccumulator(false)
      : new ExactSumAccumulator(type, this.returnType(argTypes), false);
    return distinct ? new DistinctAccumulator(plain, type) : plain;
  },
};

function summed(type: DataType): DataType {
  if (isSignedInteger(type)) return INT64;
  if (isUnsignedInteger(type)) return UINT64;
  if (isFloating(type)) return FLOAT64;
  if (isDecimal(type)) return type;
  throw wrongArguments('sum', [type], 'a number');
}
