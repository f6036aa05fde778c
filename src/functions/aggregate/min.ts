import type { AggregateFunction } from '../../expr/function.js';
import { extremeFunction } from '../support/extreme-function.js';

/** Smallest value that is not null; strings by their bytes, NaN above all numbers. */
export const min: AggregateFunction = extremeFunction('min', false, {
  summary: 'Smallest value.',
  example: { sql: 'SELECT min(x) FROM (VALUES (3), (1), (2)) AS t(x)', result: '1' },
});
