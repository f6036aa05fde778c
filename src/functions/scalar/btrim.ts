import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, firstArgumentType, requireArity, stringArgument } from '../support/signature.js';
import { trim } from '../support/trim.js';

/** Takes characters off both ends. */
export const btrim: ScalarFunction = {
  name: 'btrim',
  aliases: ['trim'],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Removes blanks, or the characters given, from both ends.',
    example: { sql: "SELECT btrim('xyabcyx', 'xy')", result: 'abc' },
  },
  coerce(argTypes) {
    requireArity('btrim', argTypes, 1, 2);
    return coerceArguments('btrim', argTypes, [stringArgument], 'a string and optionally the characters to remove');
  },
  returnType: firstArgumentType,
  evaluate: (input) => trim(input, true, true),
};
