import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const corr: AggregateFunction = pairsFunction(
  'corr',
  [],
  ({ squaresY, squaresX, products }) =>
    squaresY === 0 || squaresX === 0 ? undefined : products / Math.sqrt(squaresY) / Math.sqrt(squaresX),
  {
    summary: 'Correlation of two values, from -1 to 1.',
    example: { sql: 'SELECT round(corr(y, x), 6) FROM (VALUES (1, 2), (2, 4), (3, 6)) AS t(y, x)', result: '1.0' },
  },
);
