import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const tanh: ScalarFunction = unaryFloatFunction('tanh', Math.tanh, {
  summary: 'Hyperbolic tangent.',
  example: { sql: 'SELECT tanh(0)', result: '0.0' },
});
