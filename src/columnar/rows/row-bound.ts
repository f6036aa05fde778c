import type { Interval } from '../scalar-value.js';
import type { DataType } from '../data-type.js';
import { heap } from '../heap.js';
import type { Layout } from '../layout.js';
import { valueAtAddress } from '../value-at.js';

/** A value of a bound, in the form a ScalarValue of its type has, but strings as their bytes. */
export type BoundValue = null | boolean | number | bigint | Uint8Array | Interval;

/** One key of a bound. */
export interface BoundKey {
  /** Which child of the dynamic filter it bounds. */
  readonly child: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly value: BoundValue;
}

/** A place in an order by several keys. Rows before it are of use, rows after it are not. */
export interface RowBound {
  readonly keys: readonly BoundKey[];
  /** Whether rows at the very place are of use too. */
  readonly inclusive: boolean;
}

/** Reads the value at `address`; string bytes are copied. */
export function boundValueAtAddress(type: DataType, layout: Layout, address: number): BoundValue {
  if (layout === 'view') {
    const start = heap.u32[address >>> 2]!;
    return heap.u8.slice(start, start + heap.u32[(address >>> 2) + 1]!);
  }
  const value = valueAtAddress(type, layout, address);
  return typeof value === 'string' ? new TextEncoder().encode(value) : value;
}

/** Negative when `a` comes before `b`: the tighter bound. Both have the same keys. */
export function compareBounds(a: RowBound, b: RowBound): number {
  for (const [index, key] of a.keys.entries()) {
    const order = compareInOrder(key, key.value, b.keys[index]!.value);
    if (order !== 0) return order;
  }
  return 0;
}

/** Negative when `a` comes before `b` in the order of a key; both of one type. */
export function compareInOrder(
  { descending, nullsFirst }: Pick<BoundKey, 'descending' | 'nullsFirst'>,
  a: BoundValue,
  b: BoundValue,
): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === nullsFirst ? -1 : 1;
  }
  const order = compareValues(a, b);
  return descending ? -order : order;
}

/** NaN is above all numbers and equals itself, −0 equals 0: as in sorting. */
function compareValues(a: Exclude<BoundValue, null>, b: Exclude<BoundValue, null>): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (isInterval(a) && isInterval(b)) {
    return a.months - b.months || a.days - b.days || (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function isInterval(value: Exclude<BoundValue, null>): value is Interval {
  return typeof value === 'object' && !(value instanceof Uint8Array);
}
