import { BOOLEAN } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, floatArgument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

export const isnan: ScalarFunction = {
  name: 'isnan',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'Whether a number is NaN.', example: { sql: "SELECT isnan(CAST('NaN' AS DOUBLE))", result: 'true' } },
  coerce(argTypes) {
    requireArity('isnan', argTypes, 1);
    return coerceArguments('isnan', argTypes, [floatArgument], 'a number');
  },
  returnType: () => BOOLEAN,
  evaluate: (input) =>
    strictRows(input, (row, [x], out) => {
      out.setBoolean(row, Number.isNaN(x!.float(row)));
    }),
};
