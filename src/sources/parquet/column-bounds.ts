import type { DataType } from '../../columnar/data-type.js';
import { type ScalarValue, scalar } from '../../columnar/scalar-value.js';
import type { StoredStatistics } from './footer.js';
import type { ParquetLeaf } from './parquet-schema.js';

/**
 * A value in a form that compares as its type does: strings and binaries as bytes, 64-bit integers, timestamps and unscaled decimals as
 * bigint, other numbers and dates as number.
 */
export type Comparable = boolean | number | bigint | Uint8Array;

/** Negative, 0 or positive; both of one type. −0 equals 0; there is no NaN among bounds. */
export function compareComparables(a: Comparable, b: Comparable): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface ColumnBounds {
  readonly min: Comparable | null;
  readonly max: Comparable | null;
}

const NO_BOUNDS: ColumnBounds = { min: null, max: null };

/**
 * The bounds of a chunk as values of the column's type, null where there are none that can be trusted: statistics whose order is not
 * the type's, NaN, values of the wrong length, a min above its max.
 */
export function columnBounds(stored: StoredStatistics, leaf: ParquetLeaf, type: DataType): ColumnBounds {
  if (stored.legacy && !legacyOrderHolds(leaf, type)) return NO_BOUNDS;
  const min = stored.min === null ? null : decodeBound(stored.min, leaf, type);
  const max = stored.max === null ? null : decodeBound(stored.max, leaf, type);
  if (min !== null && max !== null && compareComparables(min, max) > 0) return NO_BOUNDS;
  return { min, max };
}

/** The deprecated fields were written in signed order, for some types only the right one. */
function legacyOrderHolds(leaf: ParquetLeaf, type: DataType): boolean {
  switch (leaf.physicalType) {
    case 'BOOLEAN':
    case 'FLOAT':
    case 'DOUBLE':
      return true;
    case 'INT32':
    case 'INT64':
      return !type.kind.startsWith('UInt');
    case 'INT96':
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return false;
  }
}

function decodeBound(bytes: Uint8Array, leaf: ParquetLeaf, type: DataType): Comparable | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (leaf.physicalType) {
    case 'BOOLEAN':
      return bytes.length === 1 ? bytes[0] !== 0 : null;
    case 'INT32': {
      if (bytes.length !== 4) return null;
      if (type.kind === 'Decimal128') return BigInt(view.getInt32(0, true));
      return type.kind.startsWith('UInt') ? view.getUint32(0, true) : view.getInt32(0, true);
    }
    case 'INT64':
      if (bytes.length !== 8) return null;
      return type.kind === 'UInt64' ? view.getBigUint64(0, true) : view.getBigInt64(0, true);
    case 'FLOAT':
      return bytes.length === 4 ? notNaN(view.getFloat32(0, true)) : null;
    case 'DOUBLE':
      return bytes.length === 8 ? notNaN(view.getFloat64(0, true)) : null;
    case 'BYTE_ARRAY':
      return type.kind === 'Decimal128' ? bigEndian(bytes) : bytes;
    case 'FIXED_LEN_BYTE_ARRAY':
      if (type.kind === 'Decimal128') return bigEndian(bytes);
      if (type.kind === 'Float32') return bytes.length === 2 ? notNaN(halfToNumber(view.getUint16(0, true))) : null;
      return type.kind === 'FixedSizeBinary' ? bytes : null;
    case 'INT96':
      return null;
  }
}

function notNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** A two's-complement big-endian integer of up to 16 bytes. */
function bigEndian(bytes: Uint8Array): bigint | null {
  if (bytes.length === 0 || bytes.length > 16) return null;
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const utf8 = new TextEncoder();

/** A bound as a constant of the column's type; null where it has no such form (bytes that are no UTF-8). */
export function boundToScalar(bound: Comparable, type: DataType): ScalarValue | null {
  if (type.kind !== 'Utf8View' && type.kind !== 'Utf8' && type.kind !== 'LargeUtf8') return scalar(type, bound);
  if (!(bound instanceof Uint8Array)) return null;
  try {
    return scalar(type, strictUtf8.decode(bound));
  } catch {
    return null;
  }
}

/** A constant in comparable form; null for NULL, NaN and types without an order here. */
export function comparableOf({ value }: ScalarValue): Comparable | null {
  if (typeof value === 'string') return utf8.encode(value);
  if (typeof value === 'number') return notNaN(value);
  if (typeof value === 'object' && !(value instanceof Uint8Array)) return null;
  return value;
}
