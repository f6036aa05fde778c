import { isInteger, UINT64 } from '../../columnar/data-type.js';
import type { WindowFunction } from '../../expr/function.js';
import { firstArgumentType, requireArity, wrongArguments } from '../support/signature.js';

/** Splits each partition into n parts as equal as can be and gives the part's number, from 1. */
export const ntile: WindowFunction = {
  name: 'ntile',
  aliases: [],
  doc: {
    summary: 'Splits each partition into n parts of equal size and gives the number of the part, from 1.',
    example: { sql: 'SELECT ntile(2) OVER (ORDER BY x) FROM (VALUES (1), (2), (3)) AS t(x)', result: '1, 1, 2' },
  },
  coerce(argTypes) {
    requireArity('ntile', argTypes, 1);
    const type = firstArgumentType(argTypes);
    if (!isInteger(type)) throw wrongArguments('ntile', argTypes, 'a whole number');
    return [type];
  },
  returnType: () => UINT64,
  nullable: false,
  bounded: false,
  usesFrame: false,
  reversible: false,
  ascending: false,
  limitEffect: () => ({ kind: 'unknown' }),
};
