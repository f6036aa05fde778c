import type { WindowFunction } from '../../expr/function.js';
import { frameValueFunction } from '../support/frame-value-function.js';

/** The argument in the last row of the frame. */
export const lastValueWindow: WindowFunction = frameValueFunction('last_value', {
  summary: 'The value in the last row of the frame.',
  example: { sql: 'SELECT last_value(x) OVER (ORDER BY x) FROM (VALUES (1), (2)) AS t(x)', result: '1, 2' },
});
