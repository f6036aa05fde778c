import type { ScalarFunction } from '../../expr/function.js';
import { greatestCommonDivisor, integerPairFunction } from '../support/integer-pair-function.js';

export const gcd: ScalarFunction = integerPairFunction('gcd', greatestCommonDivisor, {
  summary: 'Greatest common divisor.',
  example: { sql: 'SELECT gcd(12, 18)', result: '6' },
});
