import { INT32, INT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, requireArity, stringArgument } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';
import { countCodePoints, indexOfBytes } from '../../columnar/utf8.js';

/** 1-based position, in code points, of a text inside another; 0 when it is not there. */
export const strpos: ScalarFunction = {
  name: 'strpos',
  aliases: ['instr', 'position'],
  volatility: 'immutable',
  strict: true,
  nullable: (argNullable) => argNullable.includes(true),
  doc: {
    summary: 'Position of a substring, counted from 1; 0 when absent.',
    example: { sql: "SELECT strpos('datafusion', 'fus')", result: '5' },
  },
  coerce(argTypes) {
    requireArity('strpos', argTypes, 2);
    return coerceArguments('strpos', argTypes, [stringArgument], 'a string and the substring to find');
  },
  returnType: ([type]) => (type?.kind === 'LargeUtf8' ? INT64 : INT32),
  evaluate: (input) =>
    strictRows(input, (row, [text, needle], out) => {
      const at = indexOfBytes(text!.bytes(row), needle!.bytes(row));
      out.setInteger(row, at < 0 ? 0n : BigInt(countCodePoints(text!.start(row), at) + 1));
    }),
};
