import { DistqError } from '../../base/errors.js';
import { FLOAT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, float64Argument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** A number to a power, in Float64; zero to a negative power is an `execution` error. */
export const power: ScalarFunction = {
  name: 'power',
  aliases: ['pow'],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'A number raised to a power.', example: { sql: 'SELECT power(2, 10)', result: '1024.0' } },
  coerce(argTypes) {
    requireArity('power', argTypes, 2);
    return coerceArguments('power', argTypes, [float64Argument], 'two numbers');
  },
  returnType: () => FLOAT64,
  evaluate: (input) =>
    strictRows(input, (row, [x, y], out) => {
      out.setF64(row, raise(x!.f64(row), y!.f64(row)));
    }),
  simplify([base, exponent]) {
    const one = exponent?.kind === 'literal' && exponent.value.value === 1;
    return one ? base : undefined;
  },
};

/** IEEE's pow: unlike JavaScript's, 1 to any power is 1, and −1 to an infinite one. */
function raise(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new DistqError('execution', `zero to the negative power ${exponent}`);
  if (base === 1 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent))) return 1;
  return base ** exponent;
}
