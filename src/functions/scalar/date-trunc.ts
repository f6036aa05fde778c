import { DistqError, notImplemented } from '../../base/errors.js';
import { civilFromDays, daysFromCivil } from '../../columnar/calendar.js';
import { type DataType, isString, timestamp, typeName, UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { floorDivide, isUtc, nanosPer, unitsPerDay } from '../../expr/temporal.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** Nanoseconds of the fields below a day. */
const NANOS: Readonly<Record<string, bigint>> = {
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1000n,
};

const FIELDS = [...Object.keys(NANOS), 'day', 'week', 'month', 'quarter', 'year'];

/** A timestamp cut down to a field. Dates and text become Timestamp(ns); unit and zone of timestamps stay. */
export const dateTrunc: ScalarFunction = {
  name: 'date_trunc',
  aliases: ['datetrunc'],
  volatility: 'immutable',
  strict: true,
  nullable: (argNullable) => argNullable.includes(true),
  doc: {
    summary: 'A timestamp cut down to a year, quarter, month, week, day, hour, minute, second, …',
    example: { sql: "SELECT date_trunc('month', TIMESTAMP '2020-05-06T07:08:09')", result: '2020-05-01T00:00:00' },
  },
  coerce(argTypes) {
    requireArity('date_trunc', argTypes, 2);
    const [field, value] = [argTypes[0]!, argTypes[1]!];
    if (!isString(field) && field.kind !== 'Null') throw refused(argTypes);
    return [field.kind === 'Null' ? UTF8 : field, truncatedType(value, argTypes)];
  },
  returnType: ([, type]) => type ?? timestamp('ns'),
  evaluate(input) {
    const type = input.returnType;
    return strictRows(input, (row, [field, value], out) => {
      const name = field!.text(row).toLowerCase();
      if (!FIELDS.includes(name)) {
        throw new DistqError('execution', `date_trunc knows no field "${name}"`, {
          hint: `fields are ${FIELDS.join(', ')}`,
        });
      }
      out.setInteger(row, truncate(type, name, value!.integer(row)));
    });
  },
};

function refused(argTypes: readonly DataType[]): DistqError {
  return wrongArguments('date_trunc', argTypes, 'the name of a field and a timestamp, date or time');
}

function truncatedType(value: DataType, argTypes: readonly DataType[]): DataType {
  if (value.kind === 'Timestamp' || value.kind === 'Time32' || value.kind === 'Time64') return value;
  if (value.kind === 'Date32' || value.kind === 'Date64' || value.kind === 'Null' || isString(value)) {
    return timestamp('ns');
  }
  throw refused(argTypes);
}

function truncate(type: DataType, field: string, value: bigint): bigint {
  if (type.kind !== 'Timestamp' && type.kind !== 'Time32' && type.kind !== 'Time64') {
    throw new DistqError('internal', `date_trunc of ${typeName(type)}`);
  }
  if (type.kind === 'Timestamp' && type.timezone !== null && !isUtc(type.timezone)) {
    throw notImplemented(`date_trunc in the time zone ${type.timezone}`);
  }
  const nanos = NANOS[field];
  if (nanos !== undefined) {
    const step = nanosPer(type.unit);
    // A field finer than the unit cuts nothing.
    return nanos <= step ? value : floorDivide(value, nanos / step) * (nanos / step);
  }
  if (type.kind !== 'Timestamp') throw new DistqError('execution', `date_trunc cuts no ${field} out of a time`);
  const perDay = unitsPerDay(type.unit);
  return BigInt(truncateDay(field, Number(floorDivide(value, perDay)))) * perDay;
}

function truncateDay(field: string, days: number): number {
  if (field === 'day') return days;
  // Weeks begin on Monday; 1970-01-01 was a Thursday.
  if (field === 'week') return days - ((((days + 3) % 7) + 7) % 7);
  const { year, month } = civilFromDays(days);
  if (field === 'year') return daysFromCivil(year, 1, 1);
  return daysFromCivil(year, field === 'quarter' ? Math.floor((month - 1) / 3) * 3 + 1 : month, 1);
}
