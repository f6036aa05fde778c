import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, firstArgumentType, requireArity, stringArgument } from '../support/signature.js';
import { trim } from '../support/trim.js';

/** Takes characters off the start. */
export const ltrim: ScalarFunction = {
  name: 'ltrim',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Removes blanks, or the characters given, from the start.',
    example: { sql: "SELECT ltrim('xxabcx', 'x')", result: 'abcx' },
  },
  coerce(argTypes) {
    requireArity('ltrim', argTypes, 1, 2);
    return coerceArguments('ltrim', argTypes, [stringArgument], 'a string and optionally the characters to remove');
  },
  returnType: firstArgumentType,
  evaluate: (input) => trim(input, true, false),
};
