import { FLOAT64 } from '../../columnar/data-type.js';
import type { WindowFunction } from '../../expr/function.js';
import { rankFunction } from '../support/rank-function.js';

/** The rank from 0 to 1: (rank − 1) / (rows − 1), 0 in a partition of one row. */
export const percentRank: WindowFunction = rankFunction(
  'percent_rank',
  {
    summary: 'The rank from 0 to 1: (rank - 1) / (rows of the partition - 1).',
    example: {
      sql: 'SELECT percent_rank() OVER (ORDER BY x) FROM (VALUES (1), (2), (3)) AS t(x)',
      result: '0.0, 0.5, 1.0',
    },
  },
  { returns: FLOAT64, bounded: false, ascending: true },
);
