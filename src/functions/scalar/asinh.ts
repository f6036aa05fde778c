import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const asinh: ScalarFunction = unaryFloatFunction('asinh', Math.asinh, {
  summary: 'Inverse hyperbolic sine.',
  example: { sql: 'SELECT asinh(0)', result: '0.0' },
});
