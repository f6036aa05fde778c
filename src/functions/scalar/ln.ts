import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const ln: ScalarFunction = unaryFloatFunction('ln', Math.log, {
  summary: 'Natural logarithm.',
  example: { sql: 'SELECT ln(1)', result: '0.0' },
});
