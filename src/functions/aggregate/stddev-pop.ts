import type { AggregateFunction } from '../../expr/function.js';
import { momentsFunction } from '../support/moments-function.js';

/** Standard deviation of the whole population. */
export const stddevPop: AggregateFunction = momentsFunction(
  'stddev_pop',
  [],
  { sample: false, root: true },
  {
    summary: 'Standard deviation of the population.',
    example: { sql: 'SELECT stddev_pop(x) FROM (VALUES (1), (5)) AS t(x)', result: '2.0' },
  },
);
