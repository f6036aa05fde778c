import type { AggregateFunction } from '../../expr/function.js';
import { endFunction } from '../support/end-function.js';

export const anyValue: AggregateFunction = endFunction(
  'any_value',
  { last: false, ignoreNulls: true },
  {
    summary: 'Some value that is not null.',
    example: { sql: 'SELECT any_value(x) FROM (VALUES (NULL), (3)) AS t(x)', result: '3' },
  },
);
