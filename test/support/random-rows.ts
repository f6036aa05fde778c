import {
  BINARY,
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  INTERVAL,
  NULL,
  timestamp,
  UINT64,
  UINT8,
  UTF8_VIEW,
} from '../../src/columnar/data-type.js';
import { Schema } from '../../src/columnar/schema.js';
import { random, type Row, type Value } from './batches.js';

/** Every type that a row can hold, with values at its edges. */
export const EDGE_VALUES: readonly (readonly [DataType, readonly Exclude<Value, null>[]])[] = [
  [INT64, [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 7n, 1n << 32n]],
  [
    UTF8_VIEW,
    ['', 'a', 'b', 'ab', 'abcdefgh', 'abcdefgi', 'abcdefghi', 'a\0', '\u{FB01}', '\u{1F600}', 'x'.repeat(300)],
  ],
  [INT32, [0, 1, -1, 2147483647, -2147483648]],
  [FLOAT64, [0, -0, NaN, 1.5, -1.5, Infinity, -Infinity, 5e-324]],
  [decimal(15, 2), [0n, 1n, -1n, 10n ** 15n - 1n]],
  [decimal(38, 4), [0n, 1n, -1n, 1n << 64n, -(1n << 64n), (1n << 64n) + 1n, 10n ** 37n]],
  [DATE32, [0, 10000, -5]],
  [BOOLEAN, [true, false]],
  [INT16, [1, -1, 32767]],
  [UINT8, [0, 255]],
  [UINT64, [0n, 2n ** 64n - 1n, 5n]],
  [FLOAT32, [0, -0, NaN, Math.fround(0.1), -3]],
  [timestamp('us'), [0n, -1n, 1_600_000_000_000_000n]],
  [BINARY, [Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(255, 254), Uint8Array.of(0, 0)]],
  [
    INTERVAL,
    [
      { months: 1, days: 0, nanos: 0n },
      { months: 0, days: 1, nanos: 0n },
      { months: 0, days: 1, nanos: 1n },
      { months: -1, days: 1, nanos: -1n },
    ],
  ],
  [NULL, []],
];

/** Rows over the given types (indexes into EDGE_VALUES), about one value in six null. */
export function randomRows(
  types: readonly number[],
  count: number,
  seed: number,
  { nulls = true }: { nulls?: boolean } = {},
): { schema: Schema; rows: Row[] } {
  const next = random(seed);
  const picked = types.map((index) => EDGE_VALUES[index % EDGE_VALUES.length]!);
  const schema = new Schema(
    picked.map(([type], index) => ({ name: `c${index}`, type, nullable: nulls || type.kind === 'Null' })),
  );
  const rows = Array.from(
    { length: count },
    (): Row =>
      picked.map(([, values]) => {
        if (values.length === 0 || (nulls && next() < 1 / 6)) return null;
        return values[Math.floor(next() * values.length)]!;
      }),
  );
  return { schema, rows };
}

/** The key form of a value (engine rule 7.2) as text: −0 is 0. */
export function groupKey(row: readonly Value[]): string {
  return row
    .map((value) => {
      if (value === null) return 'null';
      if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
      if (typeof value === 'object') return `${value.months}m${value.days}d${value.nanos}n`;
      if (typeof value === 'string') return JSON.stringify(value);
      return `${typeof value}${String(value === 0 ? 0 : value)}`;
    })
    .join('|');
}

/** Order of two values as the engine has it: UTF-8 bytes, NaN above all, −0 = 0. Nulls are the caller's. */
export function compareValues(a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'object' && typeof b === 'object' && !(a instanceof Uint8Array) && !(b instanceof Uint8Array)) {
    if (a.months !== b.months) return a.months - b.months;
    if (a.days !== b.days) return a.days - b.days;
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  }
  throw new Error('values of two types');
}
