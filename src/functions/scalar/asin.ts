import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const asin: ScalarFunction = unaryFloatFunction('asin', Math.asin, {
  summary: 'Arc sine, in radians.',
  example: { sql: 'SELECT asin(0)', result: '0.0' },
});
