import { notImplemented } from '../../base/errors.js';
import { INT32 } from '../../columnar/data-type.js';
import type { AggregateFunction } from '../../expr/function.js';
import { requireArity } from '../support/signature.js';

/**
 * Which of its arguments are rolled up in a row of GROUPING SETS, ROLLUP or CUBE: one bit each, the last argument's the lowest. The
 * analyzer replaces it by the aggregate's grouping id (`resolve_grouping_function`), so nothing is accumulated.
 */
export const grouping: AggregateFunction = {
  name: 'grouping',
  aliases: [],
  doc: {
    summary: 'Which of the grouping columns are rolled up, one bit each.',
    example: {
      sql: 'SELECT max(g) FROM (SELECT grouping(x) AS g FROM (VALUES (1)) AS t(x) GROUP BY ROLLUP(x)) AS u',
      result: '1',
    },
  },
  coerce(argTypes) {
    requireArity('grouping', argTypes, 1, Infinity);
    return [...argTypes];
  },
  returnType: () => INT32,
  nullable: false,
  orderSensitive: false,
  stateFields: () => [],
  createAccumulator: () => {
    throw notImplemented('grouping() anywhere but beside GROUP BY');
  },
};
