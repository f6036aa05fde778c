import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrIntercept: AggregateFunction = pairsFunction(
  'regr_intercept',
  [],
  ({ meanY, meanX, squaresX, products }) => (squaresX === 0 ? undefined : meanY - (products / squaresX) * meanX),
  {
    summary: 'Where the line through the pairs (least squares) crosses the y axis.',
    example: { sql: 'SELECT regr_intercept(y, x) FROM (VALUES (3, 1), (5, 2)) AS t(y, x)', result: '1.0' },
  },
);
