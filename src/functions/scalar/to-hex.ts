import { UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { int64Argument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Hexadecimal digits; negative numbers as two's complement of 64 bits. */
export const toHex: ScalarFunction = stringFunction({
  name: 'to_hex',
  arity: [1, 1],
  rules: [int64Argument],
  takes: 'an integer',
  returnType: () => UTF8,
  doc: { summary: 'A number in hexadecimal.', example: { sql: 'SELECT to_hex(255)', result: 'ff' } },
  each(row, [value], out) {
    out.setText(row, BigInt.asUintN(64, value!.i64(row)).toString(16));
  },
});
