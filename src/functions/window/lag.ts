import type { WindowFunction } from '../../expr/function.js';
import { shiftFunction } from '../support/shift-function.js';

/** The argument `offset` rows (default 1) before this one in its partition, or the default. */
export const lag: WindowFunction = shiftFunction('lag', false, {
  summary: 'The value some rows (default 1) before this one in its partition, or a default value.',
  example: { sql: 'SELECT lag(x, 1, 0) OVER (ORDER BY x) FROM (VALUES (1), (2), (3)) AS t(x)', result: '0, 1, 2' },
});
