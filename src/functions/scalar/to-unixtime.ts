import { DistqError } from '../../base/errors.js';
import { INT64, isInteger, isString, timestamp } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { parseTimestamp } from '../../expr/parse-value.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** Seconds since 1970 of a text, date or timestamp. */
export const toUnixtime: ScalarFunction = {
  name: 'to_unixtime',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'Seconds since 1970 of a text, date or timestamp.',
    example: { sql: "SELECT to_unixtime('1970-01-01T00:01:00')", result: '60' },
  },
  coerce(argTypes) {
    requireArity('to_unixtime', argTypes, 1);
    const type = argTypes[0]!;
    if (isString(type)) return [type];
    if (isInteger(type)) return [INT64];
    if (type.kind === 'Null' || type.kind === 'Date32' || type.kind === 'Date64' || type.kind === 'Timestamp') {
      return [timestamp('s', type.kind === 'Timestamp' ? type.timezone : null)];
    }
    throw wrongArguments('to_unixtime', argTypes, 'a text, date or timestamp');
  },
  returnType: () => INT64,
  evaluate(input) {
    const text = isString(input.args[0]!.type);
    return strictRows(input, (row, [value], out) => {
      const seconds = text ? parseTimestamp(value!.text(row), 's') : value!.i64(row);
      if (seconds === undefined) {
        throw new DistqError('execution', `to_unixtime cannot read "${value!.text(row)}" as a timestamp`);
      }
      out.setI64(row, seconds);
    });
  },
};
