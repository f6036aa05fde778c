import type { AggregateFunction } from '../../expr/function.js';
import { booleanExtremeFunction } from '../support/boolean-extreme-function.js';

/** True when some value is true. */
export const boolOr: AggregateFunction = booleanExtremeFunction('bool_or', true, {
  summary: 'True when any value is true.',
  example: { sql: 'SELECT bool_or(x) FROM (VALUES (true), (false)) AS t(x)', result: 'true' },
});
