import { DistqError, notImplemented } from '../../base/errors.js';
import { civilFromDays, daysFromCivil } from '../../columnar/calendar.js';
import type { Column } from '../../columnar/column.js';
import {
  type DataType,
  FLOAT64,
  INT32,
  INT64,
  isString,
  isTemporal,
  timestamp,
  type TimeUnit,
  UTF8,
} from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { ScalarFunction, ScalarFunctionInput } from '../../expr/function.js';
import type { ColumnReader } from '../../columnar/column-reader.js';
import { isUtc, NANOS_PER_DAY, nanosPer, unitsPerSecond } from '../../expr/temporal.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

export type DatePart =
  | 'year'
  | 'isoyear'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'doy'
  | 'dow'
  | 'isodow'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'microsecond'
  | 'nanosecond'
  | 'epoch';

/** Spellings of each field, as DataFusion accepts them. */
const PARTS: Readonly<Record<string, DatePart>> = {
  year: 'year',
  years: 'year',
  isoyear: 'isoyear',
  qtr: 'quarter',
  quarter: 'quarter',
  quarters: 'quarter',
  month: 'month',
  months: 'month',
  week: 'week',
  weeks: 'week',
  day: 'day',
  days: 'day',
  doy: 'doy',
  dow: 'dow',
  isodow: 'isodow',
  hour: 'hour',
  hours: 'hour',
  minute: 'minute',
  minutes: 'minute',
  second: 'second',
  seconds: 'second',
  millisecond: 'millisecond',
  milliseconds: 'millisecond',
  microsecond: 'microsecond',
  microseconds: 'microsecond',
  nanosecond: 'nanosecond',
  nanoseconds: 'nanosecond',
  epoch: 'epoch',
};

/** A field of a date, time, timestamp or interval: Int32, Int64 for nanoseconds, Float64 for the epoch. */
export const datePart: ScalarFunction = {
  name: 'date_part',
  aliases: ['datepart'],
  volatility: 'immutable',
  strict: true,
  nullable: (argNullable) => argNullable.includes(true),
  doc: {
    summary: 'A field of a date or time: year, quarter, month, week, day, doy, dow, hour, minute, second, …, epoch.',
    example: { sql: "SELECT date_part('quarter', DATE '1998-09-02')", result: '3' },
  },
  coerce(argTypes) {
    requireArity('date_part', argTypes, 2);
    const [field, value] = argTypes;
    const taken = 'the name of a field and a date, time, timestamp or interval';
    if (!isString(field!) && field!.kind !== 'Null') throw wrongArguments('date_part', argTypes, taken);
    const text = field!.kind === 'Null' ? UTF8 : field!;
    if (isTemporal(value!)) return [text, value!];
    if (isString(value!) || value!.kind === 'Null') return [text, timestamp('ns')];
    throw wrongArguments('date_part', argTypes, taken);
  },
  returnType(_, literals) {
    const part = requirePart(literals[0] ?? null);
    return part === 'epoch' ? FLOAT64 : part === 'nanosecond' ? INT64 : INT32;
  },
  evaluate: evaluateDatePart,
};

/** The field a name means, or undefined. Quotes and case do not matter. */
function parseDatePart(name: string): DatePart | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^['"]|['"]$/g, '');
  return Object.hasOwn(PARTS, plain) ? PARTS[plain] : undefined;
}

function requirePart(literal: ScalarValue | null): DatePart {
  if (literal === null || typeof literal.value !== 'string') {
    throw new DistqError('plan', 'the first argument of date_part is the name of a field, written as a constant');
  }
  const part = parseDatePart(literal.value);
  if (part === undefined) {
    throw new DistqError('plan', `date_part knows no field "${literal.value}"`, {
      hint: 'fields are year, quarter, month, week, day, doy, dow, isodow, hour, minute, second, millisecond, microsecond, nanosecond, epoch',
    });
  }
  return part;
}

function evaluateDatePart(input: ScalarFunctionInput): Column {
  const { args } = input;
  const type = args[1]!.type;
  return strictRows(input, (row, [field, value], out) => {
    const part = parseDatePart(field!.text(row));
    if (part === undefined) throw new DistqError('execution', `date_part knows no field "${field!.text(row)}"`);
    if (part === 'epoch') out.setF64(row, epochSeconds(type, value!, row));
    else out.setInteger(row, partOf(part, type, value!, row));
  });
}

function partOf(part: DatePart, type: DataType, value: ColumnReader, row: number): bigint {
  if (type.kind === 'Interval') return intervalPart(part, value, row);
  if (type.kind === 'Date32') return datePartOf(part, value.i32(row), 0n);
  if (type.kind === 'Date64') return splitAndTake(part, value.integer(row) * 1_000_000n);
  const nanos = value.integer(row) * nanosPer(unitOf(type));
  if (type.kind === 'Duration') return durationPart(part, nanos);
  if (type.kind === 'Time32' || type.kind === 'Time64') return timePart(part, nanos, 'a time');
  if (type.kind === 'Timestamp' && type.timezone !== null && !isUtc(type.timezone)) {
    throw notImplemented(`date_part in the time zone ${type.timezone}`);
  }
  return splitAndTake(part, nanos);
}

function unitOf(type: DataType): TimeUnit {
  if ('unit' in type) return type.unit;
  throw new DistqError('internal', `date_part of ${type.kind}`);
}

function splitAndTake(part: DatePart, nanos: bigint): bigint {
  let days = nanos / NANOS_PER_DAY;
  let rest = nanos % NANOS_PER_DAY;
  if (rest < 0n) {
    rest += NANOS_PER_DAY;
    days -= 1n;
  }
  return datePartOf(part, Number(days), rest);
}

function datePartOf(part: DatePart, days: number, nanosOfDay: bigint): bigint {
  switch (part) {
    case 'year':
      return BigInt(civilFromDays(days).year);
    case 'isoyear':
      return BigInt(isoWeek(days).year);
    case 'quarter':
      return BigInt(Math.floor((civilFromDays(days).month - 1) / 3) + 1);
    case 'month':
      return BigInt(civilFromDays(days).month);
    case 'week':
      return BigInt(isoWeek(days).week);
    case 'day':
      return BigInt(civilFromDays(days).day);
    case 'doy':
      return BigInt(days - daysFromCivil(civilFromDays(days).year, 1, 1) + 1);
    case 'dow':
      return BigInt(weekday(days, 4));
    case 'isodow':
      return BigInt(weekday(days, 3) + 1);
    case 'hour':
    case 'minute':
    case 'second':
    case 'millisecond':
    case 'microsecond':
    case 'nanosecond':
    case 'epoch':
      return timePart(part, nanosOfDay, 'a date');
  }
}

/** Day of the week, 0–6, when 1970-01-01 (a Thursday) is `epochDay`. */
function weekday(days: number, epochDay: number): number {
  return (((days + epochDay) % 7) + 7) % 7;
}

/** ISO 8601: weeks start on Monday, week 1 holds January 4th. */
function isoWeek(days: number): { year: number; week: number } {
  const thursday = days - weekday(days, 3) + 3;
  const { year } = civilFromDays(thursday);
  return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 };
}

/** Fields of the time of day. Seconds and finer count from the start of the minute. */
function timePart(part: DatePart, nanosOfDay: bigint, what: string): bigint {
  switch (part) {
    case 'hour':
      return nanosOfDay / 3_600_000_000_000n;
    case 'minute':
      return (nanosOfDay / 60_000_000_000n) % 60n;
    case 'second':
      return (nanosOfDay / 1_000_000_000n) % 60n;
    case 'millisecond':
      return (nanosOfDay / 1_000_000n) % 60_000n;
    case 'microsecond':
      return (nanosOfDay / 1000n) % 60_000_000n;
    case 'nanosecond':
      return nanosOfDay % 60_000_000_000n;
    case 'year':
    case 'isoyear':
    case 'quarter':
    case 'month':
    case 'week':
    case 'day':
    case 'doy':
    case 'dow':
    case 'isodow':
    case 'epoch':
      throw new DistqError('execution', `${what} has no field ${part}`);
  }
}

/** Whole fields of a duration, each counted over all of it. */
const DURATION_NANOS: Readonly<Partial<Record<DatePart, bigint>>> = {
  week: NANOS_PER_DAY * 7n,
  day: NANOS_PER_DAY,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1000n,
  nanosecond: 1n,
};

function durationPart(part: DatePart, nanos: bigint): bigint {
  const unit = DURATION_NANOS[part];
  if (unit === undefined) throw new DistqError('execution', `a duration has no field ${part}`);
  return nanos / unit;
}

function intervalPart(part: DatePart, value: ColumnReader, row: number): bigint {
  const { months, days, nanos } = value.interval(row);
  if (part === 'year') return BigInt(Math.trunc(months / 12));
  if (part === 'month') return BigInt(months % 12);
  if (part === 'week') return BigInt(Math.trunc(days / 7));
  if (part === 'day') return BigInt(days);
  return timePart(part, nanos, 'an interval');
}

function epochSeconds(type: DataType, value: ColumnReader, row: number): number {
  if (type.kind === 'Date32') return value.i32(row) * 86_400;
  if (type.kind === 'Date64') return value.i64Number(row) / 1000;
  if (type.kind === 'Interval') {
    const { months, days, nanos } = value.interval(row);
    return months * 2_592_000 + days * 86_400 + Number(nanos) / 1e9;
  }
  return Number(value.integer(row)) / Number(unitsPerSecond(unitOf(type)));
}
