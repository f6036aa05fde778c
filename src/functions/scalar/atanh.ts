import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const atanh: ScalarFunction = unaryFloatFunction('atanh', Math.atanh, {
  summary: 'Inverse hyperbolic tangent.',
  example: { sql: 'SELECT atanh(0)', result: '0.0' },
});
