import { DistqError } from '../../base/errors.js';
import { UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { int64Argument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** The character of a code point; what is none (surrogates too) is an `execution` error. */
export const chr: ScalarFunction = stringFunction({
  name: 'chr',
  arity: [1, 1],
  rules: [int64Argument],
  takes: 'an integer',
  returnType: () => UTF8,
  doc: { summary: 'The character with a Unicode number.', example: { sql: 'SELECT chr(65)', result: 'A' } },
  each(row, [code], out) {
    const value = code!.i64(row);
    if (value < 0n || value > 0x10ffffn || (value >= 0xd800n && value <= 0xdfffn)) {
      throw new DistqError('execution', `${value} is no Unicode character`);
    }
    out.setText(row, String.fromCodePoint(Number(value)));
  },
});
