import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const tan: ScalarFunction = unaryFloatFunction('tan', Math.tan, {
  summary: 'Tangent of an angle in radians.',
  example: { sql: 'SELECT tan(0)', result: '0.0' },
});
