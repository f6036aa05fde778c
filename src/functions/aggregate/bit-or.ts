import type { AggregateFunction } from '../../expr/function.js';
import { bitsFunction } from '../support/bits-function.js';

export const bitOr: AggregateFunction = bitsFunction('bit_or', 'or', {
  summary: 'The bits that any value has.',
  example: { sql: 'SELECT bit_or(x) FROM (VALUES (12), (10)) AS t(x)', result: '14' },
});
