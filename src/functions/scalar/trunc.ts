import { isDecimal } from '../../columnar/data-type.js';
import { narrowDecimal } from '../../columnar/flatten.js';
import type { ScalarFunction } from '../../expr/function.js';
import {
  coerceArguments,
  decimalOrFloatArgument,
  firstArgumentType,
  int64Argument,
  requireArity,
} from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** Cuts towards zero, at the given number of digits. */
export const trunc: ScalarFunction = {
  name: 'trunc',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Cuts digits off, towards zero; a second argument says how many stay.',
    example: { sql: 'SELECT trunc(1.789, 2)', result: '1.78' },
  },
  coerce(argTypes) {
    requireArity('trunc', argTypes, 1, 2);
    return coerceArguments(
      'trunc',
      argTypes,
      [decimalOrFloatArgument, int64Argument],
      'a number and optionally a number of digits',
    );
  },
  returnType: firstArgumentType,
  evaluate(input) {
    const type = input.returnType;
    if (!isDecimal(type)) {
      return strictRows(input, (row, [x, places], out) => {
        const digits = places === undefined ? 0 : places.i64Number(row);
        const value = x!.float(row);
        const factor = 10 ** digits;
        out.setFloat(row, digits === 0 ? Math.trunc(value) : Math.trunc(value * factor) / factor);
      });
    }
    const wide = strictRows(
      input,
      (row, [x, places], out) => {
        const dropped = type.scale - Math.min(places === undefined ? 0 : places.i64Number(row), type.scale);
        const value = x!.integer(row);
        const unit = 10n ** BigInt(Math.min(dropped, 76));
        out.setInteger(row, value - (value % unit));
      },
      'i128',
    );
    return wide.encoding === 'flat' ? narrowDecimal(wide, input.arena) : wide;
  },
};
