import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  INT8,
  INTERVAL,
  NULL,
  timestamp,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { compact, flatten, takeColumn } from '../../../src/columnar/flatten.js';
import { formatValue } from '../../../src/columnar/format-value.js';
import { columnFromScalar, columnFromValues } from '../../../src/columnar/from-values.js';
import { heap } from '../../../src/columnar/heap.js';
import { keep } from '../../../src/columnar/keep.js';
import { Schema } from '../../../src/columnar/schema.js';
import { valueAt } from '../../../src/columnar/value-at.js';
import { Arena } from '../../../src/columnar/arena.js';
import { batch, type Representation, type Row, rowsOf, type Value, withArena } from '../../support/batches.js';

// Freed bytes become 0xDD: a kept batch that still points into its source shows.
heap.configure({ poison: true });

const TYPED: readonly [DataType, Exclude<Value, null>[]][] = [
  [BOOLEAN, [true, false]],
  [INT8, [-128, 127, 0]],
  [INT16, [-32768, 32767]],
  [INT32, [-2147483648, 2147483647, 5]],
  [INT64, [-(2n ** 63n), 2n ** 63n - 1n, 0n]],
  [UINT8, [255, 0]],
  [UINT16, [65535]],
  [UINT32, [4294967295, 1]],
  [UINT64, [2n ** 64n - 1n, 7n]],
  [FLOAT32, [1.5, -0, NaN, Infinity]],
  [FLOAT64, [1.1, -0, NaN, -Infinity]],
  [decimal(15, 2), [-5n, 123456n]],
  [decimal(38, 10), [-(10n ** 37n), 10n ** 37n, -1n, 1n << 64n]],
  [UTF8_VIEW, ['', 'short', 'a longer string with more than twelve bytes', 'ünï', '\u{1F600}']],
  [BINARY, [Uint8Array.of(), Uint8Array.of(0, 255, 254)]],
  [DATE32, [-1, 20000]],
  [timestamp('ns'), [-1n, 1_600_000_000_123_456_789n]],
  [INTERVAL, [{ months: -1, days: 2, nanos: -3n }]],
];

/** Rows over one column per type, values and nulls mixed. */
function mixedRows(count: number): { schema: Schema; rows: Row[] } {
  const schema = new Schema([
    ...TYPED.map(([type], i) => ({ name: `c${i}`, type, nullable: true })),
    { name: 'n', type: NULL, nullable: true },
  ]);
  const rows = Array.from(
    { length: count },
    (_, r): Row => [
      ...TYPED.map(([, values], c) => ((r + c) % 5 === 0 ? null : values[(r * 3 + c) % values.length]!)),
      null,
    ],
  );
  return { schema, rows };
}

const REPRESENTATIONS: readonly Representation[] = ['flat', 'dictionary', 'selected'];

for (const representation of REPRESENTATIONS) {
  for (const count of [0, 1, 7, 8, 9, 65, 1000]) {
    test(`${count} rows survive compact, flatten and keep as ${representation}`, () => {
      const { schema, rows } = mixedRows(count);
      const source = new Arena();
      const kept = new Arena();
      const made = batch(schema, rows, source, representation);
      assert.deepEqual(rowsOf(made), rows);
      assert.deepEqual(rowsOf(compact(made, source)), rows);
      const flat = flatten(made, source);
      assert.deepEqual(rowsOf(flat), rows);
      assert.ok(flat.columns.every((c) => c.encoding === 'flat' || c.type.kind === 'Null' || c.length === 0));
      const copy = keep(made, kept);
      source.free();
      assert.deepEqual(rowsOf(copy), rows, 'keep refers to bytes outside its arena');
      kept.free();
    });
  }
}

test('a constant batch survives keep and flatten', () => {
  const { schema, rows } = mixedRows(4);
  for (const row of rows) {
    const repeated = Array.from({ length: 100 }, () => row);
    const source = new Arena();
    const kept = new Arena();
    const made = batch(schema, repeated, source, 'constant');
    assert.deepEqual(rowsOf(made), repeated);
    assert.deepEqual(rowsOf(flatten(made, source)), repeated);
    const copy = keep(made, kept);
    source.free();
    assert.deepEqual(rowsOf(copy), repeated);
    kept.free();
  }
});

test('strings larger than a piece are copied whole', () => {
  const schema = new Schema([{ name: 's', type: UTF8_VIEW, nullable: true }]);
  const big = 'x'.repeat(3 * 2 ** 20);
  const rows: Row[] = [['a'], [big], [null], ['y'.repeat(2 ** 20)], [''], [big], ['z']];
  const source = new Arena();
  const kept = new Arena();
  const copy = keep(batch(schema, rows, source), kept);
  source.free();
  assert.deepEqual(rowsOf(copy), rows);
  kept.free();
});

test('takeColumn repeats and reorders', () => {
  withArena((arena) => {
    const column = columnFromValues(UTF8_VIEW, ['a', null, 'c'], arena);
    const indices = arena.alloc(20);
    heap.u32.set([2, 2, 1, 0, 2], indices >>> 2);
    const taken = takeColumn(column, indices, 5, arena);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((row) => valueAt(taken, row)),
      ['c', 'c', null, 'a', 'c'],
    );
    const constant = columnFromScalar({ type: INT64, value: 9n }, 3, arena);
    assert.equal(takeColumn(constant, indices, 5, arena).length, 5);
  });
});

test('values print as DataFusion prints them', () => {
  const cases: readonly [DataType, Exclude<Value, null>, string][] = [
    [FLOAT64, 1, '1.0'],
    [FLOAT64, 1e16, '1e16'],
    [FLOAT64, 1e15, '1000000000000000.0'],
    [FLOAT64, 0.00001, '0.00001'],
    [FLOAT64, 0.000001, '1e-6'],
    [FLOAT64, 1.5e-7, '1.5e-7'],
    [FLOAT64, 1.5e300, '1.5e300'],
    [FLOAT64, 12.25, '12.25'],
    [FLOAT64, -0.5, '-0.5'],
    [FLOAT64, -0, '-0.0'],
    [FLOAT64, NaN, 'NaN'],
    [FLOAT64, -Infinity, '-inf'],
    [FLOAT32, Math.fround(123456789), '123456790.0'],
    [FLOAT32, Math.fround(1234567890123), '1234568000000.0'],
    [FLOAT32, Math.fround(1e22), '1e22'],
    [FLOAT32, Math.fround(0.1), '0.1'],
    [decimal(10, 3), 1500n, '1.500'],
    [decimal(10, 2), -5n, '-0.05'],
    [decimal(7, -2), 123n, '12300'],
    [decimal(38, 0), -(10n ** 37n), `-1${'0'.repeat(37)}`],
    [DATE32, 0, '1970-01-01'],
    [DATE32, 3000000, '+10183-09-21'],
    [DATE32, -800000, '-0221-09-04'],
    [DATE32, 19782, '2024-02-29'],
    [timestamp('ns'), -1n, '1969-12-31T23:59:59.999999999'],
    [timestamp('us'), 1577934245123400n, '2020-01-02T03:04:05.123400'],
    [timestamp('ms'), 1577934245000n, '2020-01-02T03:04:05'],
    [timestamp('ms', 'UTC'), 1577934245000n, '2020-01-02T03:04:05Z'],
    [timestamp('ms', 'Europe/Berlin'), 1577934245000n, '2020-01-02T04:04:05+01:00'],
    [timestamp('us', '+05:30'), 1577934245120000n, '2020-01-02T08:34:05.120+05:30'],
    [{ kind: 'Time32', unit: 's' }, 11045, '03:04:05'],
    [{ kind: 'Time64', unit: 'us' }, 11045001000n, '03:04:05.001'],
    [{ kind: 'Duration', unit: 'us' }, -90061001n, '-PT90.061001S'],
    [{ kind: 'Duration', unit: 's' }, 1n, 'PT1S'],
    [INTERVAL, { months: 1, days: 2, nanos: 11_045_500_000_000n }, '1 mons 2 days 3 hours 4 mins 5.500000000 secs'],
    [INTERVAL, { months: 0, days: 0, nanos: 0n }, '0 secs'],
    [INTERVAL, { months: -1, days: -2, nanos: -10_804_500_000_000n }, '-1 mons -2 days -3 hours -4.500000000 secs'],
    [BINARY, Uint8Array.of(0, 255), '00ff'],
    [BOOLEAN, true, 'true'],
    [UINT64, 2n ** 64n - 1n, '18446744073709551615'],
  ];
  for (const [type, value, text] of cases) assert.equal(formatValue(type, value), text);
});
