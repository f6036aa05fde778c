import type { WindowFunction } from '../../expr/function.js';
import { frameValueFunction } from '../support/frame-value-function.js';

/** The argument in the nth row of the frame, null while there is none. */
export const nthValue: WindowFunction = frameValueFunction(
  'nth_value',
  {
    summary: 'The value in the nth row of the frame, null while the frame has fewer rows.',
    example: { sql: 'SELECT nth_value(x, 2) OVER (ORDER BY x) FROM (VALUES (1), (2)) AS t(x)', result: 'NULL, 2' },
  },
  true,
);
