import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const sinh: ScalarFunction = unaryFloatFunction('sinh', Math.sinh, {
  summary: 'Hyperbolic sine.',
  example: { sql: 'SELECT sinh(0)', result: '0.0' },
});
