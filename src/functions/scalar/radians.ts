import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const radians: ScalarFunction = unaryFloatFunction('radians', (x) => x * (Math.PI / 180), {
  summary: 'Degrees to radians.',
  example: { sql: 'SELECT radians(180) = pi()', result: 'true' },
});
