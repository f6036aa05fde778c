import { INT32, INT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

export const bitLength: ScalarFunction = stringFunction({
  name: 'bit_length',
  arity: [1, 1],
  rules: [stringArgument],
  takes: 'a string',
  returnType: ([type]) => (type?.kind === 'LargeUtf8' ? INT64 : INT32),
  doc: { summary: 'Number of bits.', example: { sql: "SELECT bit_length('abc')", result: '24' } },
  each(row, [text], out) {
    out.setInteger(row, BigInt(text!.byteLength(row) * 8));
  },
});
