import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const covarSamp: AggregateFunction = pairsFunction(
  'covar_samp',
  ['covar'],
  ({ rows, products }) => (rows < 2 ? undefined : products / (rows - 1)),
  {
    summary: 'Covariance of a sample.',
    example: { sql: 'SELECT covar_samp(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '4.0' },
  },
);
