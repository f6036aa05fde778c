import type { WindowFunction } from '../../expr/function.js';
import { frameValueFunction } from '../support/frame-value-function.js';

/** The argument in the first row of the frame. */
export const firstValueWindow: WindowFunction = frameValueFunction('first_value', {
  summary: 'The value in the first row of the frame.',
  example: { sql: 'SELECT first_value(x) OVER (ORDER BY x) FROM (VALUES (1), (2)) AS t(x)', result: '1, 1' },
});
