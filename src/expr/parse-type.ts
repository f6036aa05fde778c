import { type DataType, decimal, isPlainKind, type TimeUnit, timestamp } from '../columnar/data-type.js';

const UNITS: Readonly<Record<string, TimeUnit>> = {
  second: 's',
  s: 's',
  millisecond: 'ms',
  ms: 'ms',
  microsecond: 'us',
  us: 'us',
  µs: 'us',
  nanosecond: 'ns',
  ns: 'ns',
};

/** A type by its Arrow name: `Int32`, `Decimal128(15, 2)`, `Timestamp(Second, None)`, `Timestamp(ns, "UTC")`; undefined for others. */
export function parseTypeName(text: string): DataType | undefined {
  const name = text.trim();
  // `Interval` prints its unit.
  if (isPlainKind(name) && name !== 'Interval') return { kind: name };
  const parts = /^(\w+)\s*\(\s*([^()]*?)\s*\)$/.exec(name);
  if (parts === null) return undefined;
  const [first = '', second] = (parts[2] ?? '').split(',').map((part) => part.trim());
  const unit = Object.hasOwn(UNITS, first.toLowerCase()) ? UNITS[first.toLowerCase()] : undefined;
  switch (parts[1] ?? '') {
    case 'Decimal128':
      return decimalType(Number(first), Number(second ?? '0'));
    case 'Timestamp':
      return unit === undefined ? undefined : timestamp(unit, zone(second));
    case 'Time32':
      return unit === 's' || unit === 'ms' ? { kind: 'Time32', unit } : undefined;
    case 'Time64':
      return unit === 'us' || unit === 'ns' ? { kind: 'Time64', unit } : undefined;
    case 'Duration':
      return unit === undefined ? undefined : { kind: 'Duration', unit };
    case 'Interval':
      return first === 'MonthDayNano' ? { kind: 'Interval' } : undefined;
    case 'FixedSizeBinary':
      return /^\d+$/.test(first) ? { kind: 'FixedSizeBinary', size: Number(first) } : undefined;
    default:
      return undefined;
  }
}

function decimalType(precision: number, scale: number): DataType | undefined {
  const fits = Number.isInteger(precision) && precision >= 1 && precision <= 38 && Number.isInteger(scale);
  return fits && Math.abs(scale) <= precision ? decimal(precision, scale) : undefined;
}

function zone(text: string | undefined): string | null {
  if (text === undefined || text === 'None') return null;
  return text.replace(/^Some\("?|"?\)$|^"|"$/g, '');
}
