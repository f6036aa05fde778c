import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const cos: ScalarFunction = unaryFloatFunction('cos', Math.cos, {
  summary: 'Cosine of an angle in radians.',
  example: { sql: 'SELECT cos(0)', result: '1.0' },
});
