import { DistqError } from '../base/errors.js';
import { formatDate } from './calendar.js';
import { formatDecimal } from './decimal-text.js';
import { type DataType, type TimeUnit, typeName } from './data-type.js';
import type { Interval, ScalarValue } from './scalar-value.js';

type Value = Exclude<ScalarValue['value'], null>;

/**
 * A value as text, exactly, as DataFusion prints results and casts to strings: decimals with their scale, floats in their shortest
 * form (`1.0`, `1e16`, `NaN`, `inf`), dates and timestamps in ISO form, binaries in hexadecimal. The whole product formats values
 * here. Null has no text: the caller decides.
 */
export function formatValue(type: DataType, value: Value): string {
  const wrong = (): DistqError =>
    new DistqError('internal', `a JavaScript ${typeof value} is no value of type ${typeName(type)}`);
  switch (type.kind) {
    case 'Null':
      throw wrong();
    case 'Boolean':
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'Int64':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
    case 'UInt64':
      if (typeof value === 'object') throw wrong();
      return String(value);
    case 'Float32':
    case 'Float64':
      if (typeof value !== 'number') throw wrong();
      return formatFloat(value, type.kind === 'Float32');
    case 'Decimal128':
      if (typeof value !== 'bigint') throw wrong();
      return formatDecimal(value, type.scale);
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      if (typeof value !== 'string') throw wrong();
      return value;
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
      if (!(value instanceof Uint8Array)) throw wrong();
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
    case 'Date32':
      if (typeof value !== 'number') throw wrong();
      return formatDate(value);
    case 'Date64':
      if (typeof value !== 'bigint') throw wrong();
      return formatTimestamp(value, 'ms', null);
    case 'Time32':
    case 'Time64':
      if (typeof value !== 'bigint' && typeof value !== 'number') throw wrong();
      return formatTimeOfDay(BigInt(value), type.unit);
    case 'Timestamp':
      if (typeof value !== 'bigint') throw wrong();
      return formatTimestamp(value, type.unit, type.timezone);
    case 'Duration':
      if (typeof value !== 'bigint') throw wrong();
      return formatDuration(value, type.unit);
    case 'Interval':
      if (typeof value !== 'object' || value instanceof Uint8Array) throw wrong();
      return formatInterval(value);
    case 'List':
    case 'Struct':
    case 'Map':
      throw new DistqError('not_implemented', `values of type ${typeName(type)} are not supported`);
  }
}

/** The shortest decimal text that reads back as the same float; exponents outside 1e-5 … 1e16 (1e13 for single precision). */
export function formatFloat(value: number, single: boolean): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const sign = value < 0 ? '-' : '';
  const shortest = single ? shortestSingle(Math.abs(value)) : Math.abs(value).toExponential();
  const [mantissa = '', exponentText = '0'] = shortest.split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  /** Where the point stands: value = 0.digits × 10^point. */
  const point = exponent + 1;
  const widest = single ? 13 : 16;
  const smallest = single ? -6 : -5;
  if (point >= digits.length && point <= widest) return `${sign}${digits.padEnd(point, '0')}.0`;
  if (point > 0 && point <= widest) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point > smallest && point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${mantissa}e${exponent}`;
}

/** Shortest exponential form that single precision reads back. */
function shortestSingle(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text.replace(/\.?0+e/, 'e');
  }
  return value.toExponential();
}

const UNITS_PER_SECOND: Readonly<Record<TimeUnit, bigint>> = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };
const SECONDS_PER_DAY = 86_400n;

/** `YYYY-MM-DDTHH:MM:SS` with 0, 3, 6 or 9 digits of fraction; with a zone, local time there and `Z` or the offset. */
function formatTimestamp(value: bigint, unit: TimeUnit, timezone: string | null): string {
  const perSecond = UNITS_PER_SECOND[unit];
  const seconds = floorDiv(value, perSecond);
  const nanos = (value - seconds * perSecond) * (1_000_000_000n / perSecond);
  const offset = timezone === null ? 0 : zoneOffset(timezone, seconds);
  const local = seconds + BigInt(offset);
  const days = floorDiv(local, SECONDS_PER_DAY);
  const time = clock(Number(local - days * SECONDS_PER_DAY), nanos);
  const suffix = timezone === null ? '' : timezone === 'UTC' || timezone === 'Z' ? 'Z' : offsetText(offset);
  return `${formatDate(Number(days))}T${time}${suffix}`;
}

function formatTimeOfDay(value: bigint, unit: TimeUnit): string {
  const perSecond = UNITS_PER_SECOND[unit];
  return clock(Number(value / perSecond), (value % perSecond) * (1_000_000_000n / perSecond));
}

function clock(secondOfDay: number, nanos: bigint): string {
  const text = `${two(Math.floor(secondOfDay / 3600))}:${two(Math.floor(secondOfDay / 60) % 60)}:${two(secondOfDay % 60)}`;
  return `${text}${fraction(nanos)}`;
}

function fraction(nanos: bigint): string {
  if (nanos === 0n) return '';
  const digits = nanos.toString().padStart(9, '0');
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`;
  return digits.endsWith('000') ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/** ISO 8601 with everything in seconds, as DataFusion prints durations: `PT90.061001S`. */
function formatDuration(value: bigint, unit: TimeUnit): string {
  const perSecond = UNITS_PER_SECOND[unit];
  const positive = value < 0n ? -value : value;
  const rest = ((positive % perSecond) * (1_000_000_000n / perSecond)).toString().padStart(9, '0').replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}PT${positive / perSecond}${rest === '' ? '' : `.${rest}`}S`;
}

/** DataFusion's long form: `1 mons 2 days 3 hours 4 mins 5.500000000 secs`, parts that are zero left out. */
function formatInterval({ months, days, nanos }: Interval): string {
  const parts: string[] = [];
  if (months !== 0) parts.push(`${months} mons`);
  if (days !== 0) parts.push(`${days} days`);
  const second = 1_000_000_000n;
  const hours = nanos / (3600n * second);
  const minutes = (nanos / (60n * second)) % 60n;
  const rest = nanos % (60n * second);
  if (hours !== 0n) parts.push(`${hours} hours`);
  if (minutes !== 0n) parts.push(`${minutes} mins`);
  if (rest !== 0n) {
    const positive = rest < 0n ? -rest : rest;
    parts.push(`${rest < 0n ? '-' : ''}${positive / second}.${(positive % second).toString().padStart(9, '0')} secs`);
  }
  return parts.length === 0 ? '0 secs' : parts.join(' ');
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Seconds east of UTC in that zone (`+05:30` or an IANA name) at that instant; unknown zones are an `execution` error. */
function zoneOffset(timezone: string, seconds: bigint): number {
  if (timezone === 'UTC' || timezone === 'Z') return 0;
  const fixed = /^([+-])(\d{2}):?(\d{2})$/.exec(timezone);
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3]) * 60);
  let formatter = formatters.get(timezone);
  if (formatter === undefined) {
    try {
      formatter = new Intl.DateTimeFormat('en-US', {
        timeZone: timezone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch (error) {
      throw new DistqError('execution', `unknown time zone "${timezone}"`, { cause: error });
    }
    formatters.set(timezone, formatter);
  }
  const parts = new Map(formatter.formatToParts(Number(seconds) * 1000).map(({ type, value }) => [type, value]));
  const number = (part: Intl.DateTimeFormatPartTypes): number => Number(parts.get(part));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return Math.round(local.getTime() / 1000 - Number(seconds));
}

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60));
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
