import { DistqError } from '../../base/errors.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, firstArgumentType, int64Argument, requireArity, textArgument } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';
import { codePointOffset } from '../../columnar/utf8.js';

/** Code points from a 1-based position, which may lie before the text: positions before the first are counted and give nothing. */
export const substr: ScalarFunction = {
  name: 'substr',
  aliases: ['substring'],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'The part of a string from a 1-based position on, with an optional length.',
    example: { sql: "SELECT substr('alphabet', 3, 2)", result: 'ph' },
  },
  coerce(argTypes) {
    requireArity('substr', argTypes, 2, 3);
    return coerceArguments(
      'substr',
      argTypes,
      [textArgument, int64Argument],
      'a string, a start and optionally a length',
    );
  },
  returnType: firstArgumentType,
  evaluate: (input) =>
    strictRows(input, (row, [text, from, length], out) => {
      const start = text!.start(row);
      const bytes = text!.byteLength(row);
      const first = from!.i64(row);
      let end = bytes;
      if (length !== undefined) {
        const count = length.i64(row);
        if (count < 0n) throw new DistqError('execution', `substr with the negative length ${count}`);
        end = codePointOffset(start, bytes, atMost(first - 1n + count, bytes));
      }
      const begin = Math.min(codePointOffset(start, bytes, atMost(first - 1n, bytes)), end);
      out.setView(row, start + begin, end - begin);
    }),
};

/** The number between 0 and `most` nearest to `value`. */
function atMost(value: bigint, most: number): number {
  return value <= 0n ? 0 : value >= BigInt(most) ? most : Number(value);
}
