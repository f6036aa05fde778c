import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const sin: ScalarFunction = unaryFloatFunction('sin', Math.sin, {
  summary: 'Sine of an angle in radians.',
  example: { sql: 'SELECT sin(0)', result: '0.0' },
});
