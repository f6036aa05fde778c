import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const log10: ScalarFunction = unaryFloatFunction('log10', Math.log10, {
  summary: 'Logarithm to base 10.',
  example: { sql: 'SELECT log10(1000)', result: '3.0' },
});
