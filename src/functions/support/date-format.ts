import { civilFromDays, daysFromCivil, daysInMonth } from '../../columnar/calendar.js';
import { floorDivide, NANOS_PER_DAY } from '../../expr/temporal.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const two = (value: number): string => String(value).padStart(2, '0');

/** What the parts of an instant are, for formatting. */
interface Parts {
  readonly days: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
}

function partsOf(instant: bigint): Parts {
  const days = Number(floorDivide(instant, NANOS_PER_DAY));
  const rest = instant - BigInt(days) * NANOS_PER_DAY;
  const seconds = Number(rest / 1_000_000_000n);
  return {
    days,
    ...civilFromDays(days),
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    nanos: Number(rest % 1_000_000_000n),
  };
}

/** An instant (nanoseconds since 1970, UTC) by a chrono format; undefined when the format holds a specifier that is not known. */
export function formatInstant(instant: bigint, format: string): string | undefined {
  const parts = partsOf(instant);
  const unknown: string[] = [];
  const text = format.replace(/%(\.?[369]?f|[-_0]?[A-Za-z%])/g, (_, specifier: string) => {
    const shown = formatPart(parts, specifier);
    if (shown === undefined) unknown.push(specifier);
    return shown ?? '';
  });
  return unknown.length === 0 ? text : undefined;
}

function formatPart(parts: Parts, specifier: string): string | undefined {
  const fraction = /^(\.?)([369]?)f$/.exec(specifier);
  if (fraction !== null) {
    const digits = String(parts.nanos)
      .padStart(9, '0')
      .slice(0, Number(fraction[2] === '' ? 9 : fraction[2]));
    return (fraction[1] ?? '') + digits;
  }
  const plain = specifier.replace(/^[-_0]/, '');
  const shown = numericPart(parts, plain) ?? namedPart(parts, plain);
  if (shown === undefined || plain === specifier) return shown;
  const digits = shown.trim().replace(/^0+(?=\d)/, '');
  const width = shown.length;
  return specifier.startsWith('-') ? digits : digits.padStart(width, specifier.startsWith('_') ? ' ' : '0');
}

function numericPart(parts: Parts, specifier: string): string | undefined {
  const weekday = (((parts.days + 4) % 7) + 7) % 7;
  const dayOfYear = parts.days - daysFromCivil(parts.year, 1, 1) + 1;
  switch (specifier) {
    case 'Y':
      return String(parts.year).padStart(4, '0');
    case 'y':
      return two(((parts.year % 100) + 100) % 100);
    case 'C':
      return two(Math.floor(parts.year / 100));
    case 'm':
      return two(parts.month);
    case 'd':
      return two(parts.day);
    case 'e':
      return String(parts.day).padStart(2, ' ');
    case 'H':
      return two(parts.hour);
    case 'k':
      return String(parts.hour).padStart(2, ' ');
    case 'I':
      return two(((parts.hour + 11) % 12) + 1);
    case 'l':
      return String(((parts.hour + 11) % 12) + 1).padStart(2, ' ');
    case 'M':
      return two(parts.minute);
    case 'S':
      return two(parts.second);
    case 'j':
      return String(dayOfYear).padStart(3, '0');
    case 'w':
      return String(weekday);
    case 'u':
      return String(weekday === 0 ? 7 : weekday);
    case 'U':
      return two(Math.floor((dayOfYear + 6 - weekday) / 7));
    case 'W':
      return two(Math.floor((dayOfYear + 6 - ((weekday + 6) % 7)) / 7));
    case 's':
      return String(BigInt(parts.days) * 86_400n + BigInt(parts.hour * 3600 + parts.minute * 60 + parts.second));
    default:
      return undefined;
  }
}

function namedPart(parts: Parts, specifier: string): string | undefined {
  const weekday = WEEKDAYS[(((parts.days + 4) % 7) + 7) % 7] ?? '';
  const month = MONTHS[parts.month - 1] ?? '';
  switch (specifier) {
    case 'B':
      return month;
    case 'b':
    case 'h':
      return month.slice(0, 3);
    case 'A':
      return weekday;
    case 'a':
      return weekday.slice(0, 3);
    case 'p':
      return parts.hour < 12 ? 'AM' : 'PM';
    case 'P':
      return parts.hour < 12 ? 'am' : 'pm';
    case 'F':
      return `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}`;
    case 'D':
      return `${two(parts.month)}/${two(parts.day)}/${two(parts.year % 100)}`;
    case 'T':
      return `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
    case 'R':
      return `${two(parts.hour)}:${two(parts.minute)}`;
    case 'Z':
      return 'UTC';
    case 'z':
      return '+0000';
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '%':
      return '%';
    default:
      return undefined;
  }
}

/** What a format's specifiers read. */
const READERS: Readonly<Record<string, string>> = {
  Y: '(?<year>[+-]?\\d{4})',
  y: '(?<shortYear>\\d{2})',
  m: '(?<month>\\d{1,2})',
  d: '(?<day>\\d{1,2})',
  e: '\\s*(?<day>\\d{1,2})',
  H: '(?<hour>\\d{1,2})',
  I: '(?<halfHour>\\d{1,2})',
  M: '(?<minute>\\d{1,2})',
  S: '(?<second>\\d{1,2})',
  f: '(?<fraction>\\d{1,9})',
  '.f': '(?:\\.(?<fraction>\\d{1,9}))?',
  p: '(?<half>[AaPp][Mm])',
  P: '(?<half>[AaPp][Mm])',
  B: '(?<monthName>[A-Za-z]+)',
  b: '(?<monthName>[A-Za-z]+)',
  h: '(?<monthName>[A-Za-z]+)',
  A: '[A-Za-z]+',
  a: '[A-Za-z]+',
  F: '(?<year>[+-]?\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})',
  D: '(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<shortYear>\\d{2})',
  T: '(?<hour>\\d{1,2}):(?<minute>\\d{1,2}):(?<second>\\d{1,2})',
  R: '(?<hour>\\d{1,2}):(?<minute>\\d{1,2})',
  z: '(?<zone>[+-]\\d{2}:?\\d{2})',
  s: '(?<epoch>-?\\d+)',
  '%': '%',
};

/** Nanoseconds since 1970 that the text means under a chrono format; undefined when it does not fit. */
export function parseFormattedTimestamp(text: string, format: string): bigint | undefined {
  const pattern = patternOf(format);
  const groups = pattern?.exec(text)?.groups;
  if (groups === undefined) return undefined;
  if (groups['epoch'] !== undefined) return BigInt(groups['epoch']) * 1_000_000_000n;
  const year = groups['year'] === undefined ? shortYear(groups['shortYear']) : Number(groups['year']);
  const month = groups['month'] === undefined ? monthNumber(groups['monthName']) : Number(groups['month']);
  const day = Number(groups['day'] ?? '1');
  if (year === undefined || month === undefined || month < 1 || month > 12) return undefined;
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  const hour = hourOf(groups);
  const [minute, second] = [Number(groups['minute'] ?? '0'), Number(groups['second'] ?? '0')];
  if (hour === undefined || minute > 59 || second > 59) return undefined;
  const seconds = BigInt(daysFromCivil(year, month, day)) * 86_400n + BigInt(hour * 3600 + minute * 60 + second);
  const nanos = BigInt((groups['fraction'] ?? '').padEnd(9, '0'));
  return (seconds - zoneSeconds(groups['zone'])) * 1_000_000_000n + nanos;
}

function patternOf(format: string): RegExp | undefined {
  let source = '';
  for (let i = 0; i < format.length; i++) {
    const character = format.charAt(i);
    if (character !== '%') {
      source += /\s/.test(character) ? '\\s*' : character.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
      continue;
    }
    const specifier = format.startsWith('.f', i + 1) ? '.f' : format.charAt(i + 1);
    const reader = Object.hasOwn(READERS, specifier) ? READERS[specifier] : undefined;
    if (reader === undefined) return undefined;
    source += reader;
    i += specifier.length;
  }
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // The same field twice.
    return undefined;
  }
}

function shortYear(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const year = Number(text);
  return year < 70 ? 2000 + year : 1900 + year;
}

function monthNumber(name: string | undefined): number | undefined {
  if (name === undefined || name.length < 3) return name === undefined ? 1 : undefined;
  const index = MONTHS.findIndex((month) => month.toLowerCase().startsWith(name.toLowerCase()));
  return index < 0 ? undefined : index + 1;
}

function hourOf(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  if (groups['halfHour'] === undefined) {
    const hour = Number(groups['hour'] ?? '0');
    return hour > 23 ? undefined : hour;
  }
  const half = Number(groups['halfHour']);
  if (half < 1 || half > 12) return undefined;
  return (half % 12) + (groups['half']?.toLowerCase() === 'pm' ? 12 : 0);
}

function zoneSeconds(zone: string | undefined): bigint {
  const parts = zone === undefined ? null : /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (parts === null) return 0n;
  const seconds = Number(parts[2]) * 3600 + Number(parts[3]) * 60;
  return BigInt(parts[1] === '-' ? -seconds : seconds);
}
