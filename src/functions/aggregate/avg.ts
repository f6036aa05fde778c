import {
  BINARY,
  type DataType,
  decimal,
  field,
  FLOAT64,
  isDecimal,
  isNumeric,
  UINT64,
} from '../../columnar/data-type.js';
import type { AggregateFunction } from '../../expr/function.js';
import { DistinctAccumulator } from '../support/distinct-accumulator.js';
import { FloatSumAccumulator } from '../support/float-sum-accumulator.js';
import { firstArgumentType, requireArity, wrongArguments } from '../support/signature.js';
import { ExactSumAccumulator, sumStateType } from '../support/sum-accumulator.js';

const MAX_DIGITS = 38;
const MORE_DIGITS = 4;

/** Mean of the values that are not null: decimals keep four more digits, truncated; everything else is Float64. */
export const avg: AggregateFunction = {
  name: 'avg',
  aliases: ['mean'],
  doc: {
    summary: 'Mean of the values.',
    example: { sql: 'SELECT avg(x) FROM (VALUES (1), (2), (6)) AS t(x)', result: '3.0' },
  },
  coerce(argTypes) {
    requireArity('avg', argTypes, 1);
    return [averaged(firstArgumentType(argTypes))];
  },
  returnType(argTypes) {
    const type = firstArgumentType(argTypes);
    if (!isDecimal(type)) return type;
    return decimal(Math.min(MAX_DIGITS, type.precision + MORE_DIGITS), Math.min(MAX_DIGITS, type.scale + MORE_DIGITS));
  },
  nullable: true,
  stateFields(name, argTypes, distinct) {
    if (distinct) return [field(`${name}[avg distinct]`, BINARY, false)];
    const type = firstArgumentType(argTypes);
    const counted = field(`${name}[count]`, UINT64, false);
    if (isDecimal(type)) return [counted, field(`${name}[sum]`, sumStateType(type))];
    return [counted, field(`${name}[sum]`, FLOAT64), field(`${name}[correction]`, FLOAT64)];
  },
  orderSensitive: false,
  reversible: true,
  createAccumulator(argTypes, { distinct }) {
    const type = firstArgumentType(argTypes);
    const plain = isDecimal(type)
      ? new ExactSumAccumulator(type, this.returnType(argTypes), true)
      : new FloatSumAccumulator(true);
    return distinct ? new DistinctAccumulator(plain, type) : plain;
  },
};

function averaged(type: DataType): DataType {
  if (isDecimal(type)) return type;
  if (isNumeric(type)) return FLOAT64;
  throw wrongArguments('avg', [type], 'a number');
}
