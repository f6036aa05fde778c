import { formatDate } from '../columnar/calendar.js';
import { formatDecimal } from '../columnar/decimal-text.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import { floorDivide } from './temporal.js';

const SHOWN_BINARY_BYTES = 10;
const MILLIS_PER_DAY = 86_400_000n;

/**
 * A constant as DataFusion prints it inside physical plans (`Display` of its ScalarValue): no type, strings raw, times and
 * timestamps as their integer.
 */
export function scalarText(constant: ScalarValue): string {
  const { type, value } = constant;
  if (value === null) return 'NULL';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') {
    if (type.kind === 'Date32') return formatDate(value);
    if (type.kind === 'Float32') return floatText(shortestSingle(value));
    return type.kind === 'Float64' ? floatText(value) : String(value);
  }
  if (typeof value === 'bigint') {
    if (type.kind === 'Decimal128') return formatDecimal(value, type.scale);
    if (type.kind === 'Date64') return formatDate(Number(floorDivide(value, MILLIS_PER_DAY)));
    return value.toString();
  }
  if (value instanceof Uint8Array) return binaryText(value);
  return `IntervalMonthDayNano { months: ${value.months}, days: ${value.days}, nanoseconds: ${value.nanos} }`;
}

/** Rust's `Display` of a float: shortest digits that read back, never an exponent, no `.0`. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The double with the fewest digits that rounds to this single: 0.10000000149011612 → 0.1. */
function shortestSingle(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return value;
}

function binaryText(bytes: Uint8Array): string {
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BINARY_BYTES)).toString('hex').toUpperCase();
  return bytes.length > SHOWN_BINARY_BYTES ? `${shown}...` : shown;
}
