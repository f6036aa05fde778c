import { DistqError } from '../../base/errors.js';
import type { ScalarFunction } from '../../expr/function.js';
import { unaryFloatFunction } from '../support/unary-float-function.js';

/** Square root; of a negative number an `execution` error. */
export const sqrt: ScalarFunction = unaryFloatFunction(
  'sqrt',
  (x) => {
    if (x < 0) throw new DistqError('execution', `the square root of the negative number ${x}`);
    return Math.sqrt(x);
  },
  { summary: 'Square root.', example: { sql: 'SELECT sqrt(9)', result: '3.0' } },
);
