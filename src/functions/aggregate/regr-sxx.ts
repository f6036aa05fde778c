import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrSxx: AggregateFunction = pairsFunction(
  'regr_sxx',
  [],
  ({ rows, squaresX }) => (rows === 0 ? undefined : squaresX),
  {
    summary: 'Sum of squared distances of the independent values from their mean.',
    example: { sql: 'SELECT regr_sxx(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '8.0' },
  },
);
