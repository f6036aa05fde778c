import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BINARY_VIEW,
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  field,
  FLOAT64,
  INT32,
  INT64,
  INT8,
  timestamp,
  UINT64,
  UTF8_VIEW,
} from '../../../../src/columnar/data-type.js';
import { formatValue } from '../../../../src/columnar/format-value.js';
import { Schema } from '../../../../src/columnar/schema.js';
import { physicalRow, valueAt } from '../../../../src/columnar/value-at.js';
import type { PlainValue } from '../../../../src/physical/leaf/plain-value.js';
import { type PlainRow, RecordBatchBuilder } from '../../../../src/physical/leaf/record-batch-builder.js';

function builderOf(type: DataType, nullable = true): RecordBatchBuilder {
  return new RecordBatchBuilder(new Schema([field('x', type, nullable)]), { owner: 'MyExec' });
}

/** The value as the engine prints it. */
function taken(type: DataType, value: PlainValue): string | null {
  const builder = builderOf(type);
  try {
    builder.append([value]);
    const batch = builder.take();
    const stored = valueAt(batch.column(0), physicalRow(batch, 0));
    return stored === null ? null : formatValue(type, stored);
  } finally {
    builder.free();
  }
}

const noon = new Date('1969-12-31T12:00:00.500Z');

describe('plain values', () => {
  const cases: readonly (readonly [DataType, PlainValue, string | null])[] = [
    [INT8, -128, '-128'],
    [INT32, 5n, '5'],
    [INT64, 5, '5'],
    [INT64, 2n ** 63n - 1n, '9223372036854775807'],
    [UINT64, 2n ** 64n - 1n, '18446744073709551615'],
    [FLOAT64, 3n, '3.0'],
    [FLOAT64, -0, '-0.0'],
    [BOOLEAN, false, 'false'],
    [UTF8_VIEW, '', ''],
    [UTF8_VIEW, 'ä𝄞', 'ä𝄞'],
    [BINARY_VIEW, Uint8Array.of(0, 255), '00ff'],
    [DATE32, noon, '1969-12-31'],
    [DATE32, 1, '1970-01-02'],
    [timestamp('s'), noon, '1969-12-31T12:00:00'],
    [timestamp('ms'), noon, '1969-12-31T12:00:00.500'],
    [timestamp('ns'), noon, '1969-12-31T12:00:00.500'],
    [timestamp('us'), 1_000_000n, '1970-01-01T00:00:01'],
    [decimal(5, 2), '1.05', '1.05'],
    [decimal(5, 2), 3, '3.00'],
    [decimal(38, 0), 10n ** 37n, `1${'0'.repeat(37)}`],
    [INT64, null, null],
    [INT64, undefined, null],
  ];
  for (const [type, value, text] of cases) {
    test(`${type.kind} ${String(value)}`, () => {
      assert.equal(taken(type, value), text);
    });
  }

  const wrong: readonly (readonly [DataType, PlainValue, string])[] = [
    [INT8, 128, '128 for "x" of type Int8'],
    [INT32, 1.5, '1.5 for "x" of type Int32'],
    [INT64, '5', '"5" for "x" of type Int64'],
    [INT64, 2 ** 60, '1152921504606847000 for "x" of type Int64'],
    [UINT64, -1, '-1 for "x" of type UInt64'],
    [BOOLEAN, 1, '1 for "x" of type Boolean'],
    [UTF8_VIEW, 7, '7 for "x" of type Utf8View'],
    [decimal(3, 1), '100', '"100" for "x" of type Decimal128(3, 1)'],
    [DATE32, new Date(Number.NaN), 'an invalid Date for "x" of type Date32'],
    [UTF8_VIEW, Uint8Array.of(1), 'a Uint8Array for "x" of type Utf8View'],
  ];
  for (const [type, value, told] of wrong) {
    test(`no ${type.kind}: ${told}`, () => {
      assert.throws(() => taken(type, value), {
        kind: 'execution',
        message: `row 0 that MyExec gives has ${told}`,
      });
    });
  }
});

describe('rows', () => {
  const schema = new Schema([field('a', INT32, false), field('b', UTF8_VIEW)]);
  const rows = (given: readonly PlainRow[]): unknown[][] => {
    const builder = new RecordBatchBuilder(schema, { owner: 'MyExec' });
    try {
      for (const row of given) builder.append(row);
      const batch = builder.take();
      return Array.from({ length: batch.numRows }, (_, i) =>
        batch.columns.map((column) => valueAt(column, physicalRow(batch, i))),
      );
    } finally {
      builder.free();
    }
  };

  test('by position and by name', () => {
    assert.deepEqual(rows([[1, 'x'], { b: 'y', a: 2 }, { a: 3 }]), [
      [1, 'x'],
      [2, 'y'],
      [3, null],
    ]);
  });

  test('what does not fit names row and column', () => {
    assert.throws(() => rows([[1, 'x'], [2]]), { message: 'row 1 that MyExec gives has 1 values for 2 columns' });
    assert.throws(() => rows([{ a: 1, c: 2 }]), {
      message: 'row 0 that MyExec gives has a value for "c", which is none of its columns',
    });
    assert.throws(() => rows([{ b: 'x' }]), {
      message: 'row 0 that MyExec gives has no value for "a", which is never null',
    });
  });

  test('a batch is full by rows or by bytes, and rows count through', () => {
    const builder = new RecordBatchBuilder(schema, { owner: 'MyExec', maxRows: 2 });
    builder.append([1, 'x'.repeat(9 * 2 ** 20)]);
    assert.ok(builder.isFull);
    assert.equal(builder.take().numRows, 1);
    builder.append([2, null]);
    assert.ok(!builder.isFull);
    builder.append([3, null]);
    assert.ok(builder.isFull);
    assert.equal(builder.take().numRows, 2);
    assert.throws(() => {
      builder.append([null, null]);
    }, /^DistqError: row 3 that MyExec gives/);
    builder.free();
  });
});
