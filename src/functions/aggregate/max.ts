import type { AggregateFunction } from '../../expr/function.js';
import { extremeFunction } from '../support/extreme-function.js';

/** Largest value that is not null; strings by their bytes, NaN above all numbers. */
export const max: AggregateFunction = extremeFunction('max', true, {
  summary: 'Largest value.',
  example: { sql: "SELECT max(x) FROM (VALUES ('a'), ('c'), ('b')) AS t(x)", result: 'c' },
});
