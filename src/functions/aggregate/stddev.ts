import type { AggregateFunction } from '../../expr/function.js';
import { momentsFunction } from '../support/moments-function.js';

/** Standard deviation of a sample; null for fewer than two values. */
export const stddev: AggregateFunction = momentsFunction(
  'stddev',
  ['stddev_samp'],
  { sample: true, root: true },
  {
    summary: 'Standard deviation of a sample.',
    example: { sql: 'SELECT stddev(x) FROM (VALUES (2), (4), (6)) AS t(x)', result: '2.0' },
  },
);
