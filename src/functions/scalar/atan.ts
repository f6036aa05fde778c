import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const atan: ScalarFunction = unaryFloatFunction('atan', Math.atan, {
  summary: 'Arc tangent, in radians.',
  example: { sql: 'SELECT atan(0)', result: '0.0' },
});
