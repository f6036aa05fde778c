import { BOOLEAN } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, requireArity, stringArgument } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** Whether a text begins with another. */
export const startsWith: ScalarFunction = {
  name: 'starts_with',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Whether a string starts with a prefix.',
    example: { sql: "SELECT starts_with('datafusion', 'data')", result: 'true' },
  },
  coerce(argTypes) {
    requireArity('starts_with', argTypes, 2);
    return coerceArguments('starts_with', argTypes, [stringArgument], 'a string and a prefix');
  },
  returnType: () => BOOLEAN,
  evaluate: (input) =>
    strictRows(input, (row, [text, prefix], out) => {
      const wanted = prefix!.bytes(row);
      const bytes = text!.bytes(row);
      out.setBoolean(
        row,
        bytes.length >= wanted.length && Buffer.compare(bytes.subarray(0, wanted.length), wanted) === 0,
      );
    }),
};
