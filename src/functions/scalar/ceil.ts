import type { ScalarFunction } from '../../expr/function.js';
import { roundingFunction } from '../support/rounding-function.js';

/** The nearest whole number up; decimals stay decimals, integers become Float64. */
export const ceil: ScalarFunction = roundingFunction('ceil', Math.ceil, 1, {
  summary: 'The nearest whole number up.',
  example: { sql: 'SELECT ceil(1.2)', result: '2.0' },
});
