import type { AggregateFunction } from '../../expr/function.js';
import { pairsFunction } from '../support/pairs-function.js';

export const regrAvgy: AggregateFunction = pairsFunction(
  'regr_avgy',
  [],
  ({ rows, meanY }) => (rows === 0 ? undefined : meanY),
  {
    summary: 'Mean of the dependent values (the first argument) of the pairs.',
    example: { sql: 'SELECT regr_avgy(y, x) FROM (VALUES (1, 2), (3, 6)) AS t(y, x)', result: '2.0' },
  },
);
