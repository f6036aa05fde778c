import type { AggregateFunction } from '../../expr/function.js';
import { booleanExtremeFunction } from '../support/boolean-extreme-function.js';

/** True when every value that is not null is true. */
export const boolAnd: AggregateFunction = booleanExtremeFunction('bool_and', false, {
  summary: 'True when all values are true.',
  example: { sql: 'SELECT bool_and(x) FROM (VALUES (true), (false)) AS t(x)', result: 'false' },
});
