import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const covarPop: AggregateFunction = pairsFunction(
  'covar_pop',
  [],
  ({ rows, products }) => (rows === 0 ? undefined : products / rows),
  {
    summary: 'Covariance of the population.',
    example: { sql: 'SELECT covar_pop(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '2.0' },
  },
);
