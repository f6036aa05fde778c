import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const acos: ScalarFunction = unaryFloatFunction('acos', Math.acos, {
  summary: 'Arc cosine, in radians.',
  example: { sql: 'SELECT acos(1)', result: '0.0' },
});
