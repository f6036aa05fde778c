import { UINT64 } from '../../columnar/data-type.js';
import type { WindowFunction } from '../../expr/function.js';
import { rankFunction } from '../support/rank-function.js';

/** One more than the number of rows that sort before this one: equals leave gaps. */
export const rank: WindowFunction = rankFunction(
  'rank',
  {
    summary: 'One more than the number of rows that sort before this one; equal rows leave gaps.',
    example: { sql: 'SELECT rank() OVER (ORDER BY x) FROM (VALUES (1), (1), (2)) AS t(x)', result: '1, 1, 3' },
  },
  { returns: UINT64, bounded: true, ascending: true },
);
