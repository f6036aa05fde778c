import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrAvgx: AggregateFunction = pairsFunction(
  'regr_avgx',
  [],
  ({ rows, meanX }) => (rows === 0 ? undefined : meanX),
  {
    summary: 'Mean of the independent values (the second argument) of the pairs.',
    example: { sql: 'SELECT regr_avgx(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '4.0' },
  },
);
