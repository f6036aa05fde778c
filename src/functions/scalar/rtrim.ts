import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, firstArgumentType, requireArity, stringArgument } from '../support/signature.js';
import { trim } from '../support/trim.js';

/** Takes characters off the end. */
export const rtrim: ScalarFunction = {
  name: 'rtrim',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Removes blanks, or the characters given, from the end.',
    example: { sql: "SELECT rtrim('xabcxx', 'x')", result: 'xabc' },
  },
  coerce(argTypes) {
    requireArity('rtrim', argTypes, 1, 2);
    return coerceArguments('rtrim', argTypes, [stringArgument], 'a string and optionally the characters to remove');
  },
  returnType: firstArgumentType,
  evaluate: (input) => trim(input, false, true),
};
