import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

export const log2: ScalarFunction = unaryFloatFunction('log2', Math.log2, {
  summary: 'Logarithm to base 2.',
  example: { sql: 'SELECT log2(8)', result: '3.0' },
});
