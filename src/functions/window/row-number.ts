import { UINT64 } from '../../columnar/data-type.js';
import type { WindowFunction } from '../../expr/function.js';
import { rankFunction } from '../support/rank-function.js';

/** Number of the row in its partition, from 1. */
export const rowNumber: WindowFunction = rankFunction(
  'row_number',
  {
    summary: 'Number of the row in its partition, from 1.',
    example: {
      sql: "SELECT row_number() OVER (ORDER BY x) FROM (VALUES ('a'), ('b'), ('b')) AS t(x)",
      result: '1, 2, 3',
    },
  },
  { returns: UINT64, bounded: true, ascending: true },
);
