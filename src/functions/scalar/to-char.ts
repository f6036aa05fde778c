import { DistqError } from '../../base/errors.js';
import { type DataType, isString, UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { NANOS_PER_DAY, nanosPer } from '../../expr/temporal.js';
import { formatInstant } from '../support/date-format.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** A date or time as text, by a chrono (strftime) format. */
export const toChar: ScalarFunction = {
  name: 'to_char',
  aliases: ['date_format'],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'A date or time as text, by a strftime format.',
    example: { sql: "SELECT to_char(DATE '2020-05-06', '%d.%m.%Y')", result: '06.05.2020' },
  },
  coerce(argTypes) {
    requireArity('to_char', argTypes, 2);
    const [value, format] = [argTypes[0]!, argTypes[1]!];
    const temporal = value.kind === 'Date32' || value.kind === 'Date64' || value.kind === 'Timestamp' || isTime(value);
    if (!temporal || !(isString(format) || format.kind === 'Null')) {
      throw wrongArguments('to_char', argTypes, 'a date, time or timestamp and a format');
    }
    return [value, format.kind === 'Null' ? UTF8 : format];
  },
  returnType: () => UTF8,
  evaluate(input) {
    const type = input.args[0]!.type;
    return strictRows(input, (row, [value, format], out) => {
      const text = formatInstant(instantOf(type, value!.integer(row)), format!.text(row));
      if (text === undefined)
        throw new DistqError('execution', `to_char does not know the format "${format!.text(row)}"`);
      out.setText(row, text);
    });
  },
};

function isTime(type: DataType): type is Extract<DataType, { kind: 'Time32' | 'Time64' }> {
  return type.kind === 'Time32' || type.kind === 'Time64';
}

function instantOf(type: DataType, value: bigint): bigint {
  if (type.kind === 'Date32') return value * NANOS_PER_DAY;
  if (type.kind === 'Date64') return value * 1_000_000n;
  return type.kind === 'Timestamp' || isTime(type) ? value * nanosPer(type.unit) : value;
}
