import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrSlope: AggregateFunction = pairsFunction(
  'regr_slope',
  [],
  ({ squaresX, products }) => (squaresX === 0 ? undefined : products / squaresX),
  {
    summary: 'Slope of the line through the pairs (least squares).',
    example: { sql: 'SELECT regr_slope(y, x) FROM (VALUES (3, 1), (5, 2)) AS t(y, x)', result: '2.0' },
  },
);
