import { DistqError } from '../base/errors.js';
import type { DataType } from './data-type.js';

/** A month/day/nanosecond interval; the parts do not carry over into one another. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly nanos: bigint;
}

/**
 * A typed constant. `value` is null, or by type:
 * Boolean → boolean; Int8…Int32, UInt8…UInt32, Date32, Time32 → number; Int64, UInt64, Date64, Time64, Timestamp, Duration → bigint;
 * Decimal128 → bigint, unscaled; Float32, Float64 → number (−0, NaN and ±Infinity are kept); strings → string;
 * binaries → Uint8Array; Interval → Interval. Nested constants do not exist yet.
 */
export interface ScalarValue {
  readonly type: DataType;
  readonly value: null | boolean | number | bigint | string | Uint8Array | Interval;
}

export function scalar(type: DataType, value: ScalarValue['value']): ScalarValue {
  return { type, value };
}

/** The value as bigint, for integer-like types (integers, dates, times, timestamps, unscaled decimals). */
export function scalarToBigInt(constant: ScalarValue): bigint {
  if (typeof constant.value === 'bigint') return constant.value;
  if (typeof constant.value === 'number' && Number.isInteger(constant.value)) return BigInt(constant.value);
  throw new DistqError('internal', `a ${constant.type.kind} constant is no integer`);
}

/** Same type kind and bit-identical value (NaN equals NaN, 0 differs from −0). Types are compared by the caller. */
export function scalarValuesIdentical(a: ScalarValue['value'], b: ScalarValue['value']): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (typeof a === 'object' && a !== null) {
    return (
      typeof b === 'object' &&
      b !== null &&
      !(b instanceof Uint8Array) &&
      a.months === b.months &&
      a.days === b.days &&
      a.nanos === b.nanos
    );
  }
  return Object.is(a, b);
}
