import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const cbrt: ScalarFunction = unaryFloatFunction('cbrt', Math.cbrt, {
  summary: 'Cube root.',
  example: { sql: 'SELECT cbrt(27)', result: '3.0' },
});
