import type { ScalarFunction } from '../../expr/function.js';
import { selectRows } from '../support/select-rows.js';
import { firstArgumentType, requireArity } from '../support/signature.js';
import { coalesce, commonType } from './coalesce.js';

/** `coalesce` of two values. */
export const nvl: ScalarFunction = {
  name: 'nvl',
  aliases: ['ifnull'],
  volatility: 'immutable',
  strict: false,
  doc: {
    summary: 'The first value, or the second where it is null.',
    example: { sql: 'SELECT nvl(NULL, 7)', result: '7' },
  },
  coerce(argTypes) {
    requireArity('nvl', argTypes, 2);
    const type = commonType('nvl', argTypes);
    return [type, type];
  },
  returnType: firstArgumentType,
  nullable: (argNullable) => !argNullable.includes(false),
  evaluate: (input) => selectRows(input, (readers, row) => readers.findIndex((reader) => !reader.isNull(row))),
  simplify: (args, facts) => coalesce.simplify?.(args, facts),
};
