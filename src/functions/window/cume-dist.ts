import { FLOAT64 } from '../../columnar/data-type.js';
import type { WindowFunction } from '../../expr/function.js';
import { rankFunction } from '../support/rank-function.js';

/** Share of the partition's rows that sort before or with this one. */
export const cumeDist: WindowFunction = rankFunction(
  'cume_dist',
  {
    summary: "Share of the partition's rows that sort before or with this one.",
    example: { sql: 'SELECT cume_dist() OVER (ORDER BY x) FROM (VALUES (1), (2)) AS t(x)', result: '0.5, 1.0' },
  },
  { returns: FLOAT64, bounded: false, ascending: false },
);
