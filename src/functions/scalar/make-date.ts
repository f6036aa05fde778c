import { DistqError } from '../../base/errors.js';
import { daysFromCivil, daysInMonth } from '../../columnar/calendar.js';
import { DATE32, INT32, isInteger, isString } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** A date from its year, month and day; one that does not exist is an `execution` error. */
export const makeDate: ScalarFunction = {
  name: 'make_date',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'A date from year, month and day.',
    example: { sql: 'SELECT make_date(2020, 2, 29)', result: '2020-02-29' },
  },
  coerce(argTypes) {
    requireArity('make_date', argTypes, 3);
    const fits = argTypes.every((type) => isInteger(type) || isString(type) || type.kind === 'Null');
    if (!fits) throw wrongArguments('make_date', argTypes, 'a year, a month and a day');
    return [INT32, INT32, INT32];
  },
  returnType: () => DATE32,
  evaluate: (input) =>
    strictRows(input, (row, args, out) => {
      const [year, month, day] = args.map((part) => part.i32(row));
      if (month! < 1 || month! > 12 || day! < 1 || day! > daysInMonth(year!, month!)) {
        throw new DistqError('execution', `there is no date of year ${year}, month ${month} and day ${day}`);
      }
      out.setI32(row, daysFromCivil(year!, month!, day!));
    }),
};
