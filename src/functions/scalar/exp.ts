import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const exp: ScalarFunction = unaryFloatFunction('exp', Math.exp, {
  summary: 'The exponential function.',
  example: { sql: 'SELECT exp(0)', result: '1.0' },
});
