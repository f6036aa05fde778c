import type { AggregateFunction } from '../../expr/function.js';
import { endFunction } from '../support/end-function.js';

export const lastValue: AggregateFunction = endFunction(
  'last_value',
  { last: true, ignoreNulls: false },
  {
    summary: 'The value of the last row.',
    example: { sql: 'SELECT last_value(x) FROM (VALUES (3)) AS t(x)', result: '3' },
  },
);
