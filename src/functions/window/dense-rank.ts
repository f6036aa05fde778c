import { UINT64 } from '../../columnar/data-type.js';
import type { WindowFunction } from '../../expr/function.js';
import { rankFunction } from '../support/rank-function.js';

/** One more than the number of different keys that sort before this row's: no gaps. */
export const denseRank: WindowFunction = rankFunction(
  'dense_rank',
  {
    summary: 'One more than the number of different sort keys before this one; equal rows leave no gaps.',
    example: { sql: 'SELECT dense_rank() OVER (ORDER BY x) FROM (VALUES (1), (1), (2)) AS t(x)', result: '1, 1, 2' },
  },
  { returns: UINT64, bounded: true, ascending: true },
);
