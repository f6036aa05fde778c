import type { DataType } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import { parseDecimal } from '../../expr/parse-value.js';

/**
 * A value as people write it in JavaScript; undefined and null are NULL. Integers may be numbers or bigints, decimals also text
 * (exact), dates and timestamps Dates or counts in the type's own unit.
 */
export type PlainValue = null | undefined | boolean | number | bigint | string | Uint8Array | Date;

type Value = ScalarValue['value'];

const DAY_MS = 86_400_000;
const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const;

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  Int8: [-(1n << 7n), (1n << 7n) - 1n],
  Int16: [-(1n << 15n), (1n << 15n) - 1n],
  Int32: [-(1n << 31n), (1n << 31n) - 1n],
  Int64: [-(1n << 63n), (1n << 63n) - 1n],
  UInt8: [0n, (1n << 8n) - 1n],
  UInt16: [0n, (1n << 16n) - 1n],
  UInt32: [0n, (1n << 32n) - 1n],
  UInt64: [0n, (1n << 64n) - 1n],
};

/** Whether columns of the type can be made of plain values; nested types and intervals cannot. */
export function takesPlainValues({ kind }: DataType): boolean {
  return kind !== 'List' && kind !== 'Struct' && kind !== 'Map' && kind !== 'Interval';
}

/** The value as the engine keeps it, or undefined when it is none of the type. */
export function engineValue(value: Exclude<PlainValue, null | undefined>, type: DataType): Value | undefined {
  switch (type.kind) {
    case 'Boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32': {
      const count = within(integer(value), type.kind);
      return count === undefined ? undefined : Number(count);
    }
    case 'Int64':
    case 'UInt64':
      return within(integer(value), type.kind);
    case 'Float32':
    case 'Float64':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
    case 'Decimal128':
      return decimal(value, type.precision, type.scale);
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      return typeof value === 'string' ? value : undefined;
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
      return value instanceof Uint8Array ? value : undefined;
    case 'FixedSizeBinary':
      return value instanceof Uint8Array && value.length === type.size ? value : undefined;
    case 'Date32': {
      const days = within(value instanceof Date ? dateSteps(value, DAY_MS) : integer(value), 'Int32');
      return days === undefined ? undefined : Number(days);
    }
    case 'Date64':
      return within(value instanceof Date ? dateSteps(value, 1) : integer(value), 'Int64');
    case 'Time32': {
      const time = within(integer(value), 'Int32');
      return time === undefined ? undefined : Number(time);
    }
    case 'Timestamp':
      return within(value instanceof Date ? instant(value, type.unit) : integer(value), 'Int64');
    case 'Time64':
    case 'Duration':
      return within(integer(value), 'Int64');
    case 'Null':
    case 'Interval':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}

function integer(value: PlainValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function within(value: bigint | undefined, kind: string): bigint | undefined {
  const range = RANGES[kind];
  if (value === undefined || range === undefined) return undefined;
  return value >= range[0] && value <= range[1] ? value : undefined;
}

/** Steps since 1970, towards the past; undefined for an invalid Date. */
function dateSteps(date: Date, stepMs: number): bigint | undefined {
  const ms = date.getTime();
  return Number.isNaN(ms) ? undefined : BigInt(Math.floor(ms / stepMs));
}

function instant(date: Date, unit: keyof typeof PER_SECOND): bigint | undefined {
  const ms = dateSteps(date, 1);
  if (ms === undefined) return undefined;
  const steps = PER_SECOND[unit];
  if (steps >= 1_000n) return ms * (steps / 1_000n);
  return dateSteps(date, 1_000);
}

function decimal(value: PlainValue, precision: number, scale: number): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string') return undefined;
  const unscaled = parseDecimal(String(value), scale);
  if (unscaled === undefined) return undefined;
  const size = unscaled < 0n ? -unscaled : unscaled;
  return size < 10n ** BigInt(precision) ? unscaled : undefined;
}
