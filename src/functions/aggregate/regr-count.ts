import { UINT64 } from '../../columnar/data-type.js';
import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrCount: AggregateFunction = pairsFunction(
  'regr_count',
  [],
  ({ rows }) => rows,
  {
    summary: 'Number of pairs in which neither value is null.',
    example: { sql: 'SELECT regr_count(y, x) FROM (VALUES (1, 2), (3, NULL)) AS t(y, x)', result: '1' },
  },
  UINT64,
);
