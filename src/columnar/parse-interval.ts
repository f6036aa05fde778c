import type { Interval } from './scalar-value.js';

type Unit =
  | 'century'
  | 'decade'
  | 'year'
  | 'month'
  | 'week'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'microsecond'
  | 'nanosecond';

const UNIT_NAMES: Readonly<Record<Unit, readonly string[]>> = {
  century: ['c', 'cent', 'cents', 'century', 'centuries'],
  decade: ['dec', 'decs', 'decade', 'decades'],
  year: ['y', 'yr', 'yrs', 'year', 'years'],
  month: ['mon', 'mons', 'month', 'months'],
  week: ['w', 'week', 'weeks'],
  day: ['d', 'day', 'days'],
  hour: ['h', 'hr', 'hrs', 'hour', 'hours'],
  minute: ['m', 'min', 'mins', 'minute', 'minutes'],
  second: ['s', 'sec', 'secs', 'second', 'seconds'],
  millisecond: ['ms', 'msec', 'msecs', 'msecond', 'mseconds', 'millisecond', 'milliseconds'],
  microsecond: ['us', 'usec', 'usecs', 'usecond', 'useconds', 'microsecond', 'microseconds'],
  nanosecond: ['nanosecond', 'nanoseconds'],
};

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(UNIT_NAMES).flatMap(([unit, names]) => names.map((name): [string, Unit] => [name, asUnit(unit)])),
);

function asUnit(name: string): Unit {
  // The keys of UNIT_NAMES are the units.
  return name as Unit;
}

/** Fractions are kept with 15 digits. */
const FRACTION_DIGITS = 15;
const ONE: bigint = 10n ** BigInt(FRACTION_DIGITS);

const NANOS = {
  day: 86_400_000_000_000n,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
} as const;

/**
 * Reads `1 year 2 months`, `90 days`, `1.5 hours`, `-3`, `5days`: amounts with their units, each unit once, a number alone counting
 * seconds. Fractions spill as in Arrow: of years and longer units into months, of months into days, of weeks and days into nanoseconds.
 * Undefined when the text is none, or when a part does not fit (months and days 32 bits, nanoseconds 64).
 */
export function parseInterval(text: string): Interval | undefined {
  let [months, days, nanos] = [0n, 0n, 0n];
  const seen = new Set<Unit>();
  for (const [amount, name] of split(text.trim())) {
    const unit = name === null ? 'second' : UNITS.get(name.toLowerCase());
    const value = scaled(amount);
    if (unit === undefined || value === undefined || seen.has(unit)) return undefined;
    seen.add(unit);
    switch (unit) {
      case 'century':
      case 'decade':
      case 'year':
        months += (value * (unit === 'year' ? 12n : unit === 'decade' ? 120n : 1200n)) / ONE;
        break;
      case 'month':
        months += value / ONE;
        days += ((value % ONE) * 30n) / ONE;
        break;
      case 'week':
      case 'day':
        days += (value / ONE) * (unit === 'week' ? 7n : 1n);
        nanos += ((value % ONE) * NANOS.day * (unit === 'week' ? 7n : 1n)) / ONE;
        break;
      case 'hour':
      case 'minute':
      case 'second':
      case 'millisecond':
      case 'microsecond':
      case 'nanosecond':
        nanos += (value * NANOS[unit]) / ONE;
        break;
    }
  }
  const fits = isInt(months, 32) && isInt(days, 32) && isInt(nanos, 64) && seen.size > 0;
  return fits ? { months: Number(months), days: Number(days), nanos } : undefined;
}

function isInt(value: bigint, bits: number): boolean {
  return BigInt.asIntN(bits, value) === value;
}

/** Pairs of an amount and its unit, which a blank may part; the last amount may have none. */
function split(text: string): [string, string | null][] {
  const pairs: [string, string | null][] = [];
  const words = text.split(/\s+/);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const end = word.search(/[^0-9.-]/);
    pairs.push(end >= 0 ? [word.slice(0, end), word.slice(end)] : [word, words[++i] ?? null]);
  }
  return pairs;
}

/** The amount times 10^15; undefined when it is no number or has more digits behind the point. */
function scaled(amount: string): bigint | undefined {
  const match = /^(-?)(\d*)(?:\.(\d+))?$/.exec(amount);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > FRACTION_DIGITS || whole + fraction === '') return undefined;
  const value = BigInt(whole === '' ? 0 : whole) * ONE + BigInt(fraction.padEnd(FRACTION_DIGITS, '0'));
  return sign === '-' ? -value : value;
}
