import type { AggregateFunction } from '../../expr/function.js';
import { bitsFunction } from '../support/bits-function.js';

export const bitAnd: AggregateFunction = bitsFunction('bit_and', 'and', {
  summary: 'The bits that all values have.',
  example: { sql: 'SELECT bit_and(x) FROM (VALUES (12), (10)) AS t(x)', result: '8' },
});
