import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DataType,
  decimal,
  FLOAT32,
  FLOAT64,
  INT32,
  INT64,
  UINT32,
  UINT64,
  UTF8_VIEW,
} from '../../../../src/columnar/data-type.js';
import { columnBounds } from '../../../../src/sources/parquet/column-bounds.js';
import { parseFooter, type StoredStatistics } from '../../../../src/sources/parquet/footer.js';
import type { PhysicalType } from '../../../../src/sources/parquet/format.js';
import { buildParquetSchema, type ParquetLeaf } from '../../../../src/sources/parquet/parquet-schema.js';
import type { Annotation, SchemaElement } from '../../../../src/sources/parquet/schema-element.js';
import { ThriftError, ThriftReader } from '../../../../src/sources/parquet/thrift-reader.js';

test('thrift: integers, strings, skipped structures', () => {
  // 1: i32 -3; 2: binary "ab"; 3: struct {1: list<i32> [1,2]; 2: map<i32,binary> {5: "x"}; 3: bool}; 4: i64 2^40
  const bytes = Uint8Array.from([
    0x15, 5, 0x18, 2, 97, 98, 0x1c, 0x19, 0x25, 2, 4, 0x1b, 1, 0x58, 10, 1, 120, 0x11, 0, 0x16, 128, 128, 128, 128, 128,
    64, 0,
  ]);
  const reader = new ThriftReader(bytes);
  assert.equal(reader.field(0), 1);
  assert.equal(reader.integer(), -3);
  assert.equal(reader.field(1), 2);
  assert.deepEqual(reader.binary(), Uint8Array.from([97, 98]));
  assert.equal(reader.field(2), 3);
  reader.skip();
  assert.equal(reader.field(3), 4);
  assert.equal(reader.integer(), 2 ** 40);
  assert.equal(reader.field(4), 0);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => {
      const cut = new ThriftReader(bytes, 0, length);
      let id = 0;
      while ((id = cut.field(id)) !== 0) cut.skip();
    }, ThriftError);
  }
});

test('thrift: lies about lengths cost nothing', () => {
  const huge = Uint8Array.from([0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]);
  const reader = new ThriftReader(huge);
  reader.field(0);
  assert.throws(() => reader.list(5), ThriftError);
  const deep = new Uint8Array(1000).fill(0x1c);
  const nested = new ThriftReader(deep);
  nested.field(0);
  assert.throws(() => {
    nested.skip();
  }, /nested/);
  assert.throws(() => parseFooter(Uint8Array.from([0])), ThriftError);
});

const NONE: Annotation = { kind: 'none' };

function element(name: string, parts: Partial<SchemaElement>): SchemaElement {
  return { name, type: undefined, typeLength: 0, repetition: 0, childCount: 0, annotation: NONE, ...parts };
}

test('schema: annotations give types, nested columns are known and have no leaf', () => {
  const leaf = (
    name: string,
    type: number,
    annotation: Annotation,
    parts: Partial<SchemaElement> = {},
  ): SchemaElement => element(name, { type, annotation, repetition: 1, ...parts });
  const built = buildParquetSchema([
    element('root', { childCount: 12 }),
    leaf('u32', 1, { kind: 'integer', bits: 32, signed: false }),
    leaf('d9', 1, { kind: 'decimal', precision: 9, scale: 2 }),
    leaf('d38', 7, { kind: 'decimal', precision: 38, scale: 0 }, { typeLength: 16 }),
    leaf('ts', 2, { kind: 'timestamp', unit: 'ms', utc: true }),
    leaf('t', 1, { kind: 'time', unit: 'ms', utc: false }),
    leaf('i96', 3, NONE),
    leaf('s', 6, { kind: 'json' }),
    leaf('e', 6, { kind: 'enum' }),
    leaf('f16', 7, { kind: 'float16' }, { typeLength: 2 }),
    element('list', { childCount: 1, repetition: 1, annotation: { kind: 'list' } }),
    element('list', { childCount: 1, repetition: 2 }),
    leaf('element', 1, NONE),
    element('repeated', { type: 2, repetition: 2 }),
    element('after', { type: 0 }),
  ]);
  assert.equal(
    built.schema.toString(),
    'u32: UInt32, d9: Decimal128(9, 2), d38: Decimal128(38, 0), ts: Timestamp(ms, "UTC"), t: Time32(ms), i96: Timestamp(ns), ' +
      's: Utf8View, e: BinaryView, f16: Float32, list: List(Int32), repeated: List(non-null Int64) not null, after: Boolean not null',
  );
  assert.deepEqual(
    built.columns.map((column) => column.leaf),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -1, 11],
  );
  assert.deepEqual(built.leaves[9], {
    path: 'list.list.element',
    physicalType: 'INT32',
    typeLength: 0,
    maxDefinitionLevel: 3,
    maxRepetitionLevel: 1,
  });
});

test('schema: trees that do not add up are refused', () => {
  const refused = (elements: readonly SchemaElement[], message: RegExp): void => {
    assert.throws(() => buildParquetSchema(elements), message);
  };
  refused([element('root', { childCount: 2 }), element('a', { type: 1 })], /fewer children/);
  refused([element('root', { childCount: 1 }), element('a', { type: 1 }), element('b', { type: 1 })], /no group owns/);
  refused([element('root', { childCount: 1 }), element('a', { type: 9 })], /unknown physical type 9/);
  const chain = Array.from({ length: 100 }, () => element('g', { childCount: 1 }));
  refused([...chain, element('a', { type: 1 })], /nested/);
});

function leafOf(physicalType: PhysicalType, typeLength = 0): ParquetLeaf {
  return { path: 'c', physicalType, typeLength, maxDefinitionLevel: 0, maxRepetitionLevel: 0 };
}

function stored(min: readonly number[], max: readonly number[], legacy = false): StoredStatistics {
  return {
    nullCount: 0,
    distinctCount: null,
    min: Uint8Array.from(min),
    max: Uint8Array.from(max),
    minExact: true,
    maxExact: true,
    legacy,
  };
}

test('bounds: legacy statistics count only where their signed order is the type’s', () => {
  const int = stored([255, 255, 255, 255], [5, 0, 0, 0], true);
  assert.deepEqual(columnBounds(int, leafOf('INT32'), INT32), { min: -1, max: 5 });
  const none = { min: null, max: null };
  assert.deepEqual(columnBounds(stored([5, 0, 0, 0], [255, 255, 255, 255], true), leafOf('INT32'), UINT32), none);
  assert.deepEqual(columnBounds(stored([97], [98], true), leafOf('BYTE_ARRAY'), UTF8_VIEW), none);
  assert.deepEqual(columnBounds(stored([97], [98]), leafOf('BYTE_ARRAY'), UTF8_VIEW), {
    min: Uint8Array.from([97]),
    max: Uint8Array.from([98]),
  });
});

test('bounds: NaN, wrong lengths and a min above its max are no bounds', () => {
  const f64 = (value: number): number[] => [...new Uint8Array(Float64Array.of(value).buffer)];
  const none = { min: null, max: null };
  assert.deepEqual(columnBounds(stored(f64(NaN), f64(1)), leafOf('DOUBLE'), FLOAT64), { min: null, max: 1 });
  assert.deepEqual(columnBounds(stored(f64(2), f64(1)), leafOf('DOUBLE'), FLOAT64), none);
  assert.deepEqual(columnBounds(stored([1, 2], [1, 2, 3, 4, 5, 6, 7, 8]), leafOf('INT64'), INT64), {
    min: null,
    max: 0x0807060504030201n,
  });
  assert.deepEqual(columnBounds(stored([0, 0x3c], [0, 0x40]), leafOf('FIXED_LEN_BYTE_ARRAY', 2), FLOAT32), {
    min: 1,
    max: 2,
  });
});

test('bounds: unsigned integers and decimals of every physical type', () => {
  const all = [255, 255, 255, 255, 255, 255, 255, 255];
  assert.equal(columnBounds(stored([0, 0, 0, 0, 0, 0, 0, 0], all), leafOf('INT64'), UINT64).max, 2n ** 64n - 1n);
  const types: [PhysicalType, number[], bigint][] = [
    ['INT32', [0xfe, 255, 255, 255], -2n],
    ['INT64', [0xfe, 255, 255, 255, 255, 255, 255, 255], -2n],
    ['BYTE_ARRAY', [0xfe], -2n],
    ['BYTE_ARRAY', [0, 200], 200n],
    ['FIXED_LEN_BYTE_ARRAY', [255, 255, 0xfe], -2n],
  ];
  for (const [physicalType, bytes, value] of types) {
    const type: DataType = decimal(9, 2);
    assert.deepEqual(columnBounds(stored(bytes, bytes), leafOf(physicalType, bytes.length), type), {
      min: value,
      max: value,
    });
  }
});
