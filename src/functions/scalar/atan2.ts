import type { ScalarFunction } from '../../expr/function.js';
import { binaryFloatFunction } from '../support/binary-float-function.js';

export const atan2: ScalarFunction = binaryFloatFunction('atan2', [], Math.atan2, {
  summary: 'Arc tangent of y / x, by the signs of both.',
  example: { sql: 'SELECT atan2(0, 1)', result: '0.0' },
});
