import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const degrees: ScalarFunction = unaryFloatFunction('degrees', (x) => x * (180 / Math.PI), {
  summary: 'Radians to degrees.',
  example: { sql: 'SELECT degrees(pi())', result: '180.0' },
});
