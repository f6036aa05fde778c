import { DistqError } from '../../base/errors.js';
import { civilFromDays, daysFromCivil } from '../../columnar/calendar.js';
import type { Column } from '../../columnar/column.js';
import {
  type DataType,
  FLOAT64,
  INT32,
  INT64,
  isString,
  timestamp,
  type TimeUnit,
  UTF8,
} from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { ScalarFunction, ScalarFunctionInput } from '../../expr/function.js';
import type { ColumnReader } from '../../columnar/column-reader.js';
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

const PER_SECOND: Readonly<Record<TimeUnit, bigint>> = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n };
const NANOS_PER_DAY = 86_400_000_000_000n;

/** A field of a date, time, timestamp or interval: Int32, Int64 for nanoseconds, Float64 for the epoch. */
export const datePart: ScalarFunction = {
  name: 'date_part',
  aliases: ['datepart'],
  volatility: 'immutable',
  strict: true,
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
    switch (value!.kind) {
      case 'Date32':
      case 'Date64':
      case 'Time32':
      case 'Time64':
      case 'Timestamp':
      case 'Interval':
      case 'Duration':
        return [text, value!];
      case 'Null':
      case 'Utf8':
      case 'LargeUtf8':
      case 'Utf8View':
        return [text, timestamp('ns')];
      default:
        throw wrongArguments('date_part', argTypes, taken);
    }
  },
  returnType(_, literals) {
    const part = requirePart(literals[0] ?? null);
    return part === 'epoch' ? FLOAT64 : part === 'nanosecond' ? INT64 : INT32;
  },
  evaluate: evaluateDatePart,
};

/** The field a name means, or undefined. Quotes and case do not matter. */
export function parseDatePart(name: string): DatePart | undefined {
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
  switch (type.kind) {
    case 'Interval':
      return intervalPart(part, value, row);
    case 'Duration':
      return durationPart(part, value.integer(row) * (1_000_000_000n / PER_SECOND[type.unit]));
    case 'Time32':
    case 'Time64':
      return timePart(part, value.integer(row) * (1_000_000_000n / PER_SECOND[type.unit]), 'a time');
    case 'Date32':
      return datePartOf(part, value.i32(row), 0n);
    case 'Date64':
      return splitAndTake(part, value.integer(row) * 1_000_000n);
    case 'Timestamp':
      if (type.timezone !== null && !isUtc(type.timezone)) {
        throw new DistqError('not_implemented', `date_part in the time zone ${type.timezone} is not supported`);
      }
      return splitAndTake(part, value.integer(row) * (1_000_000_000n / PER_SECOND[type.unit]));
    default:
      throw new DistqError('internal', `date_part of ${type.kind}`);
  }
}

export function isUtc(timezone: string): boolean {
  return /^(utc|z|gmt|etc\/utc|[+-]00:?00)$/i.test(timezone);
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

function durationPart(part: DatePart, nanos: bigint): bigint {
  switch (part) {
    case 'week':
      return nanos / (NANOS_PER_DAY * 7n);
    case 'day':
      return nanos / NANOS_PER_DAY;
    case 'hour':
      return nanos / 3_600_000_000_000n;
    case 'minute':
      return nanos / 60_000_000_000n;
    case 'second':
      return nanos / 1_000_000_000n;
    case 'millisecond':
      return nanos / 1_000_000n;
    case 'microsecond':
      return nanos / 1000n;
    case 'nanosecond':
      return nanos;
    default:
      throw new DistqError('execution', `a duration has no field ${part}`);
  }
}

function intervalPart(part: DatePart, value: ColumnReader, row: number): bigint {
  const { months, days, nanos } = value.interval(row);
  switch (part) {
    case 'year':
      return BigInt(Math.trunc(months / 12));
    case 'month':
      return BigInt(months % 12);
    case 'week':
      return BigInt(Math.trunc(days / 7));
    case 'day':
      return BigInt(days);
    case 'hour':
      return nanos / 3_600_000_000_000n;
    case 'minute':
      return (nanos / 60_000_000_000n) % 60n;
    case 'second':
      return (nanos / 1_000_000_000n) % 60n;
    case 'millisecond':
      return (nanos / 1_000_000n) % 60_000n;
    case 'microsecond':
      return (nanos / 1000n) % 60_000_000n;
    case 'nanosecond':
      return nanos % 60_000_000_000n;
    default:
      throw new DistqError('execution', `an interval has no field ${part}`);
  }
}

function epochSeconds(type: DataType, value: ColumnReader, row: number): number {
  switch (type.kind) {
    case 'Date32':
      return value.i32(row) * 86_400;
    case 'Date64':
      return value.i64Number(row) / 1000;
    case 'Time32':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
      return Number(value.integer(row)) / Number(PER_SECOND[type.unit]);
    case 'Interval': {
      const { months, days, nanos } = value.interval(row);
      return months * 2_592_000 + days * 86_400 + Number(nanos) / 1e9;
    }
    default:
      throw new DistqError('internal', `date_part of ${type.kind}`);
  }
}
