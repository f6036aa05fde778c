import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrSyy: AggregateFunction = pairsFunction(
  'regr_syy',
  [],
  ({ rows, squaresY }) => (rows === 0 ? undefined : squaresY),
  {
    summary: 'Sum of squared distances of the dependent values from their mean.',
    example: { sql: 'SELECT regr_syy(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '2.0' },
  },
);
