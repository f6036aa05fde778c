import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrSxy: AggregateFunction = pairsFunction(
  'regr_sxy',
  [],
  ({ rows, products }) => (rows === 0 ? undefined : products),
  {
    summary: 'Sum of the products of both distances from the means.',
    example: { sql: 'SELECT regr_sxy(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '4.0' },
  },
);
