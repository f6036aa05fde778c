import type { ScalarFunction } from '../../expr/function.js';
import { changeCase } from '../support/change-case.js';
import { coerceArguments, firstArgumentType, requireArity, stringArgument } from '../support/signature.js';

/** Lower case by Unicode's full mapping. */
export const lower: ScalarFunction = {
  name: 'lower',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'Lower case.', example: { sql: "SELECT lower('ÀB')", result: 'àb' } },
  coerce(argTypes) {
    requireArity('lower', argTypes, 1);
    return coerceArguments('lower', argTypes, [stringArgument], 'a string');
  },
  returnType: firstArgumentType,
  evaluate: (input) => changeCase(input, 0x41, 0x5a, (text) => text.toLowerCase()),
};
