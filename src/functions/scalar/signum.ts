import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const signum: ScalarFunction = unaryFloatFunction('signum', (x) => (x === 0 ? 0 : Math.sign(x)), {
  summary: 'The sign: -1, 0 or 1.',
  example: { sql: 'SELECT signum(-7)', result: '-1.0' },
});
