import type { AggregateFunction } from '../../expr/function.js';
import { endFunction } from '../support/end-function.js';

export const firstValue: AggregateFunction = endFunction(
  'first_value',
  { last: false, ignoreNulls: false },
  {
    summary: 'The value of the first row.',
    example: { sql: 'SELECT first_value(x) FROM (VALUES (3)) AS t(x)', result: '3' },
  },
);
