import { DistqError } from '../../base/errors.js';
import { DATE32, INT32, isInteger, isString } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { parseDate } from '../../expr/parse-value.js';
import { floorDivide, NANOS_PER_DAY } from '../../expr/temporal.js';
import { parseFormattedTimestamp } from '../support/date-format.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** A date from text (with optional formats to try in turn), from a number of days or from a timestamp. */
export const toDate: ScalarFunction = {
  name: 'to_date',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'A date from text, with optional formats, or from days since 1970.',
    example: { sql: "SELECT to_date('06/05/2020', '%d/%m/%Y')", result: '2020-05-06' },
  },
  coerce(argTypes) {
    requireArity('to_date', argTypes, 1, Infinity);
    const [first, ...formats] = argTypes;
    if (formats.some((type) => !isString(type))) throw wrongArguments('to_date', argTypes, 'a text and formats');
    if (isString(first!)) return [...argTypes];
    if (isInteger(first!)) return [INT32];
    if (first!.kind === 'Null' || first!.kind === 'Timestamp' || first!.kind === 'Date64' || first!.kind === 'Date32') {
      return [DATE32];
    }
    throw wrongArguments('to_date', argTypes, 'a text, a number of days or a timestamp');
  },
  returnType: () => DATE32,
  evaluate(input) {
    if (!isString(input.args[0]!.type)) {
      return strictRows(input, (row, [days], out) => {
        out.setI32(row, days!.i32(row));
      });
    }
    return strictRows(input, (row, [value, ...formats], out) => {
      const text = value!.text(row);
      let days = formats.length === 0 ? parseDate(text) : undefined;
      for (const format of formats) {
        const nanos = days === undefined ? parseFormattedTimestamp(text, format.text(row)) : undefined;
        if (nanos !== undefined) days = Number(floorDivide(nanos, NANOS_PER_DAY));
      }
      if (days === undefined) throw new DistqError('execution', `to_date cannot read "${text}" as a date`);
      out.setI32(row, days);
    });
  },
};
