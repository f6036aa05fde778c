import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrR2: AggregateFunction = pairsFunction(
  'regr_r2',
  [],
  ({ squaresY, squaresX, products }) =>
    squaresY === 0 || squaresX === 0 ? undefined : (products * products) / (squaresX * squaresY),
  {
    summary: 'How much of the variation the line through the pairs explains, from 0 to 1.',
    example: { sql: 'SELECT regr_r2(y, x) FROM (VALUES (3, 1), (5, 2)) AS t(y, x)', result: '1.0' },
  },
);
