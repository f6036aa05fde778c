import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const cosh: ScalarFunction = unaryFloatFunction('cosh', Math.cosh, {
  summary: 'Hyperbolic cosine.',
  example: { sql: 'SELECT cosh(0)', result: '1.0' },
});
