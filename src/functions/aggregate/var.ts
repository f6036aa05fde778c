import type { AggregateFunction } from '../../expr/function.js';
import { momentsFunction } from '../support/moments-function.js';

/** Variance of a sample; null for fewer than two values. */
export const variance: AggregateFunction = momentsFunction(
  'var',
  ['var_samp', 'var_sample'],
  { sample: true, root: false },
  {
    summary: 'Variance of a sample.',
    example: { sql: 'SELECT var(x) FROM (VALUES (2), (4), (6)) AS t(x)', result: '4.0' },
  },
);
