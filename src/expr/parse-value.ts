import { daysFromCivil, daysInMonth } from '../columnar/calendar.js';
import type { TimeUnit } from '../columnar/data-type.js';
import type { Interval } from '../columnar/scalar-value.js';
import { floorDivide, NANOS_PER_DAY, nanosPer } from './temporal.js';

/** Reading values from text, as casts of strings do. Every function gives undefined for text that is none. */

/** `12`, `-5`, `+7`, blanks around allowed. */
export function parseInteger(text: string): bigint | undefined {
  const plain = text.trim();
  if (!/^[+-]?\d+$/.test(plain)) return undefined;
  return BigInt(plain.startsWith('+') ? plain.slice(1) : plain);
}

/** `1.5`, `.5`, `1e3`, `inf`, `-Infinity`, `NaN`. */
export function parseFloat64(text: string): number | undefined {
  const plain = text.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(plain)) return Number(plain);
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(plain);
  if (word === null) return undefined;
  if (word[2]?.toLowerCase() === 'nan') return Number.NaN;
  return word[1] === '-' ? -Infinity : Infinity;
}

/** Unscaled value at `scale`, rounded half away from zero. No exponent. */
export function parseDecimal(text: string, scale: number): bigint | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const kept = fraction.slice(0, Math.max(scale, 0)).padEnd(Math.max(scale, 0), '0');
  let unscaled = BigInt(whole + kept || '0');
  if (scale < 0) {
    const unit = 10n ** BigInt(-scale);
    unscaled = (unscaled + unit / 2n) / unit;
  } else if ((fraction[scale] ?? '0') >= '5') {
    unscaled += 1n;
  }
  return sign === '-' ? -unscaled : unscaled;
}

const TRUE_WORDS = new Set(['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1']);
const FALSE_WORDS = new Set(['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0']);

export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : undefined;
}

/** Day number of `2020-01-05`, `2020-1-5`, `20200105`, or the day of a timestamp text. */
export function parseDate(text: string): number | undefined {
  const parts = /^([+-]?\d{4,6})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (parts !== null) return civilDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  const nanos = text.length > 10 ? parseTimestampNanos(text) : undefined;
  return nanos === undefined ? undefined : Number(floorDivide(nanos, NANOS_PER_DAY));
}

function civilDay(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return daysFromCivil(year, month, day);
}

/**
 * `2020-01-05`, `2020-01-05 10:20:30.5`, with `T` or a blank between, up to nine fraction digits, and an optional zone (`Z`, `UTC`,
 * `+02:00`); the result is the instant in UTC.
 */
export function parseTimestamp(text: string, unit: TimeUnit): bigint | undefined {
  const nanos = parseTimestampNanos(text);
  return nanos === undefined ? undefined : floorDivide(nanos, nanosPer(unit));
}

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

function parseTimestampNanos(text: string): bigint | undefined {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return undefined;
  const days = civilDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (days === undefined) return undefined;
  const time = timeNanos(parts[4] ?? '0', parts[5] ?? '0', parts[6] ?? '0', parts[7] ?? '');
  if (time === undefined) return undefined;
  return BigInt(days) * NANOS_PER_DAY + time - zoneNanos(parts[8]);
}

function timeNanos(hours: string, minutes: string, seconds: string, fraction: string): bigint | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

function zoneNanos(zone: string | undefined): bigint {
  const parts = zone === undefined ? null : /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (parts === null) return 0n;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? '0');
  return BigInt(parts[1] === '-' ? -minutes : minutes) * 60_000_000_000n;
}

/** Time of day as nanoseconds: `10:20`, `10:20:30.5`, `10:20:30 PM`. */
export function parseTimeNanos(text: string): bigint | undefined {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:\s*(AM|PM))?$/i.exec(text.trim());
  if (parts === null) return undefined;
  let hours = Number(parts[1]);
  const half = parts[5]?.toUpperCase();
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return undefined;
    hours = (hours % 12) + (half === 'PM' ? 12 : 0);
  }
  return timeNanos(String(hours), parts[2] ?? '0', parts[3] ?? '0', parts[4] ?? '');
}

/** Months, days or nanoseconds of one unit word; singular and plural and the usual short forms. */
const INTERVAL_UNITS: Readonly<Record<string, readonly ['months' | 'days' | 'nanos', number]>> = {
  millennium: ['months', 12_000],
  century: ['months', 1200],
  decade: ['months', 120],
  year: ['months', 12],
  month: ['months', 1],
  mon: ['months', 1],
  week: ['days', 7],
  day: ['days', 1],
  hour: ['nanos', 3_600_000_000_000],
  minute: ['nanos', 60_000_000_000],
  min: ['nanos', 60_000_000_000],
  second: ['nanos', 1_000_000_000],
  sec: ['nanos', 1_000_000_000],
  millisecond: ['nanos', 1_000_000],
  microsecond: ['nanos', 1000],
  nanosecond: ['nanos', 1],
};

/** `1 year 2 months`, `-3 days`, `1.5 hours`; a bare number means months, as DataFusion's cast has it. */
export function parseInterval(text: string): Interval | undefined {
  const words = text.trim().toLowerCase().split(/\s+/);
  let [months, days, nanos] = [0, 0, 0n];
  for (let i = 0; i < words.length; i += 2) {
    const amount = parseFloat64(words[i] ?? '');
    const word = words[i + 1] ?? (words.length === 1 ? 'month' : '');
    const unit = INTERVAL_UNITS[word] ?? INTERVAL_UNITS[word.replace(/s$/, '')] ?? plural(word);
    if (amount === undefined || !Number.isFinite(amount) || unit === undefined) return undefined;
    const [part, factor] = unit;
    if (part === 'nanos') nanos += BigInt(Math.round(amount * factor));
    else if (part === 'days') {
      const whole = Math.trunc(amount * factor);
      days += whole;
      nanos += BigInt(Math.round((amount * factor - whole) * 86_400_000_000_000));
    } else {
      const whole = Math.trunc(amount * factor);
      months += whole;
      days += Math.trunc((amount * factor - whole) * 30);
    }
  }
  return { months, days, nanos };
}

function plural(word: string): readonly ['months' | 'days' | 'nanos', number] | undefined {
  if (word === 'centuries') return INTERVAL_UNITS['century'];
  return word === 'millennia' ? INTERVAL_UNITS['millennium'] : undefined;
}
