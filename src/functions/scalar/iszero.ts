import { BOOLEAN } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, floatArgument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

export const iszero: ScalarFunction = {
  name: 'iszero',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'Whether a number is 0 (or −0).', example: { sql: 'SELECT iszero(0)', result: 'true' } },
  coerce(argTypes) {
    requireArity('iszero', argTypes, 1);
    return coerceArguments('iszero', argTypes, [floatArgument], 'a number');
  },
  returnType: () => BOOLEAN,
  evaluate: (input) =>
    strictRows(input, (row, [x], out) => {
      out.setBoolean(row, x!.float(row) === 0);
    }),
};
