import type { ScalarFunction } from '../../expr/function.js';
import { greatestCommonDivisor, integerPairFunction } from '../support/integer-pair-function.js';

export const lcm: ScalarFunction = integerPairFunction(
  'lcm',
  (a, b) => {
    if (a === 0n || b === 0n) return 0n;
    const product = (a / greatestCommonDivisor(a, b)) * b;
    return product < 0n ? -product : product;
  },
  { summary: 'Least common multiple.', example: { sql: 'SELECT lcm(4, 6)', result: '12' } },
);
