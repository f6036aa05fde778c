import { INT32, INT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, requireArity, textArgument } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';
import { countCodePoints } from '../../columnar/utf8.js';

/** Number of code points. */
export const characterLength: ScalarFunction = {
  name: 'character_length',
  aliases: ['length', 'char_length'],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Number of characters (Unicode code points).',
    example: { sql: "SELECT length('héy')", result: '3' },
  },
  coerce(argTypes) {
    requireArity('character_length', argTypes, 1);
    return coerceArguments('character_length', argTypes, [textArgument], 'a string');
  },
  returnType: ([type]) => (type?.kind === 'LargeUtf8' ? INT64 : INT32),
  evaluate: (input) =>
    strictRows(input, (row, [text], out) => {
      out.setInteger(row, BigInt(countCodePoints(text!.start(row), text!.byteLength(row))));
    }),
};
