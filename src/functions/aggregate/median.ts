import { BINARY, field } from '../../columnar/data-type.js';
import type { AggregateFunction } from '../../expr/function.js';
import { DistinctAccumulator } from '../support/distinct-accumulator.js';
import { MedianAccumulator } from '../support/median-accumulator.js';
import { coerceArguments, decimalOrFloatArgument, firstArgumentType, requireArity } from '../support/signature.js';

/** The middle value; of an even number the mean of the middle two. Floats and decimals keep their type, integers become Float64. */
export const median: AggregateFunction = {
  name: 'median',
  aliases: [],
  doc: {
    summary: 'The middle value, or the mean of the middle two.',
    example: { sql: 'SELECT median(x) FROM (VALUES (1), (2), (9)) AS t(x)', result: '2.0' },
  },
  coerce(argTypes) {
    requireArity('median', argTypes, 1);
    return coerceArguments('median', argTypes, [decimalOrFloatArgument], 'a number');
  },
  returnType: firstArgumentType,
  nullable: true,
  stateFields: (name, _, distinct) => [field(`${name}[${distinct ? 'median distinct' : 'median'}]`, BINARY, false)],
  orderSensitive: false,
  createAccumulator(argTypes, { distinct }) {
    const type = firstArgumentType(argTypes);
    const plain = new MedianAccumulator(type);
    return distinct ? new DistinctAccumulator(plain, type) : plain;
  },
};
