import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const cot: ScalarFunction = unaryFloatFunction('cot', (x) => 1 / Math.tan(x), {
  summary: 'Cotangent of an angle in radians.',
  example: { sql: 'SELECT round(cot(0.5), 3)', result: '1.83' },
});
