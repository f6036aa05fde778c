import type { AggregateFunction } from '../../expr/function.js';
import { momentsFunction } from '../support/moments-function.js';

/** Variance of the whole population. */
export const varPop: AggregateFunction = momentsFunction(
  'var_pop',
  ['var_population'],
  { sample: false, root: false },
  {
    summary: 'Variance of the population.',
    example: { sql: 'SELECT var_pop(x) FROM (VALUES (1), (5)) AS t(x)', result: '4.0' },
  },
);
