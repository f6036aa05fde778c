import { DistqError } from '../../base/errors.js';
import { INT64, typeName } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, int64Argument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** n!; from 21 on it leaves Int64, and negative numbers have none: `execution` errors. */
export const factorial: ScalarFunction = {
  name: 'factorial',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'The product of the numbers from 1 to n.', example: { sql: 'SELECT factorial(5)', result: '120' } },
  coerce(argTypes) {
    requireArity('factorial', argTypes, 1);
    return coerceArguments('factorial', argTypes, [int64Argument], 'an integer');
  },
  returnType: () => INT64,
  evaluate: (input) =>
    strictRows(input, (row, [n], out) => {
      const value = n!.i64(row);
      if (value < 0n) throw new DistqError('execution', `the factorial of the negative number ${value}`);
      let product = 1n;
      for (let factor = 2n; factor <= value && fitsInteger(INT64, product); factor++) product *= factor;
      if (!fitsInteger(INT64, product)) {
        throw new DistqError('execution', `factorial(${value}) is out of range of ${typeName(INT64)}`);
      }
      out.setI64(row, product);
    }),
};
