import type { ScalarFunction } from '../../expr/function.js';
import { changeCase } from '../support/change-case.js';
import { coerceArguments, firstArgumentType, requireArity, stringArgument } from '../support/signature.js';

/** Upper case by Unicode's full mapping (`ß` → `SS`). */
export const upper: ScalarFunction = {
  name: 'upper',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'Upper case.', example: { sql: "SELECT upper('straße')", result: 'STRASSE' } },
  coerce(argTypes) {
    requireArity('upper', argTypes, 1);
    return coerceArguments('upper', argTypes, [stringArgument], 'a string');
  },
  returnType: firstArgumentType,
  evaluate: (input) => changeCase(input, 0x61, 0x7a, (text) => text.toUpperCase()),
};
