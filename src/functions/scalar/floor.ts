import type { ScalarFunction } from '../../expr/function.js';
import { roundingFunction } from '../support/rounding-function.js';

/** The nearest whole number down; decimals stay decimals, integers become Float64. */
export const floor: ScalarFunction = roundingFunction('floor', Math.floor, -1, {
  summary: 'The nearest whole number down.',
  example: { sql: 'SELECT floor(-1.2)', result: '-2.0' },
});
