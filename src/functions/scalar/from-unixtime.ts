import { INT64, timestamp } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, int64Argument, requireArity } from '../support/signature.js';

/** Seconds since 1970 as a timestamp. */
export const fromUnixtime: ScalarFunction = {
  name: 'from_unixtime',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'A timestamp from seconds since 1970.',
    example: { sql: 'SELECT from_unixtime(60)', result: '1970-01-01T00:01:00' },
  },
  coerce(argTypes) {
    requireArity('from_unixtime', argTypes, 1);
    return coerceArguments('from_unixtime', argTypes, [int64Argument], INT64.kind);
  },
  returnType: () => timestamp('s'),
  evaluate: ({ args, returnType }) => args[0]!.withType(returnType),
};
