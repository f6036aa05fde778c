import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const acosh: ScalarFunction = unaryFloatFunction('acosh', Math.acosh, {
  summary: 'Inverse hyperbolic cosine.',
  example: { sql: 'SELECT acosh(1)', result: '0.0' },
});
