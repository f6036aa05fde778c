import type { AggregateFunction } from '../../expr/function.js';
import { bitsFunction } from '../support/bits-function.js';

export const bitXor: AggregateFunction = bitsFunction('bit_xor', 'xor', {
  summary: 'The bits that an odd number of values has.',
  example: { sql: 'SELECT bit_xor(x) FROM (VALUES (12), (10)) AS t(x)', result: '6' },
});
