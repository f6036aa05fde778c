import { FLOAT32, FLOAT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, float64Argument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** `log(x)` to base 10, `log(base, x)`; as a quotient of natural logarithms, so that log(1000) is just below 3. */
export const log: ScalarFunction = {
  name: 'log',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Logarithm to base 10, or to the base given first.',
    example: { sql: 'SELECT log(2, 8)', result: '3.0' },
  },
  coerce(argTypes) {
    requireArity('log', argTypes, 1, 2);
    if (argTypes.every((type) => type.kind === 'Float32')) return argTypes.map(() => FLOAT32);
    return coerceArguments('log', argTypes, [float64Argument], 'a number, or a base and a number');
  },
  returnType: ([type]) => type ?? FLOAT64,
  evaluate: (input) =>
    strictRows(input, (row, [first, second], out) => {
      const base = second === undefined ? 10 : first!.float(row);
      const value = (second ?? first)!.float(row);
      out.setFloat(row, Math.log(value) / Math.log(base));
    }),
};
