/** Estimates of filters. The expected figures are what DataFusion 55 prints for the same predicates and bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exact, type Statistics } from '../../../../src/catalog/statistics.js';
import { DATE32, field, FLOAT64, INT64, UTF8_VIEW } from '../../../../src/columnar/data-type.js';
import { scalar } from '../../../../src/columnar/scalar-value.js';
import { Schema } from '../../../../src/columnar/schema.js';
import { type PhysicalExpr, physicalColumn, physicalLiteral } from '../../../../src/expr/physical-expr.js';
import { physicalBinary, physicalCast } from '../../../../src/expr/physical-planner.js';
import { filterStatistics } from '../../../../src/physical/statistics/filter-statistics.js';

const schema = new Schema([
  field('orderkey', INT64, false),
  field('partkey', INT64, false),
  field('shipdate', DATE32, false),
  field('mode', UTF8_VIEW, false),
]);
const rows = exact(60_175);
const bounded = (type: typeof INT64, min: bigint | number | string, max: bigint | number | string, bytes: number) => ({
  nullCount: exact(0),
  min: exact(scalar(type, min)),
  max: exact(scalar(type, max)),
  distinctCount: { kind: 'absent' } as const,
  byteSize: exact(bytes),
});
const input: Statistics = {
  numRows: rows,
  totalByteSize: exact(962_800),
  columns: [
    bounded(INT64, 1n, 60_000n, 481_400),
    bounded(INT64, 1n, 2_000n, 481_400),
    // 1992-01-04 to 1998-11-29
    bounded(DATE32, 8_038, 10_559, 240_700),
    bounded(UTF8_VIEW, 'AIR', 'TRUCK', 24_573),
  ],
};
const [orderkey, partkey, shipdate, mode] = [0, 1, 2, 3].map((i) => physicalColumn(schema, i)) as [
  PhysicalExpr,
  PhysicalExpr,
  PhysicalExpr,
  PhysicalExpr,
];
const int = (value: bigint): PhysicalExpr => physicalLiteral(scalar(INT64, value));
const date = (days: number): PhysicalExpr => physicalLiteral(scalar(DATE32, days));

const CASES: readonly (readonly [name: string, predicate: PhysicalExpr, rows: number, bytes: number])[] = [
  ['a date range open above', physicalBinary(shipdate, '>', date(9_204)), 32_355, 517_668],
  [
    'two columns multiply',
    physicalBinary(physicalBinary(orderkey, '<', int(100n)), 'AND', physicalBinary(partkey, '>', int(1_500n))),
    25,
    398,
  ],
  ['one value', physicalBinary(orderkey, '=', int(5n)), 2, 17],
  ['arithmetic on the column', physicalBinary(physicalBinary(orderkey, '+', int(5n)), '<', int(100n)), 95, 1_509],
  ['a string is not analysed', physicalBinary(mode, '=', physicalLiteral(scalar(UTF8_VIEW, 'AIR'))), 12_035, 192_560],
  ['nothing is left', physicalBinary(orderkey, '>', int(100_000n)), 0, 0],
  [
    'through a cast',
    physicalBinary(physicalCast(orderkey, FLOAT64), '>', physicalLiteral(scalar(FLOAT64, 30_000.5))),
    30_089,
    481_417,
  ],
];

for (const [name, predicate, expectedRows, expectedBytes] of CASES) {
  test(`rows that pass: ${name}`, () => {
    const { numRows, totalByteSize } = filterStatistics(input, predicate, schema, 20);
    assert.deepEqual(
      [numRows, totalByteSize],
      [
        { kind: 'inexact', value: expectedRows },
        { kind: 'inexact', value: expectedBytes },
      ],
    );
  });
}

test('bounds: tightened for compared columns, weakened for others, exact for a single value', () => {
  const [key, other] = filterStatistics(input, physicalBinary(orderkey, '=', int(5n)), schema, 20).columns;
  assert.ok(key !== undefined && other !== undefined);
  assert.deepEqual(key.min, exact(scalar(INT64, 5n)));
  assert.deepEqual(key.distinctCount, exact(1));
  assert.deepEqual(other.max, { kind: 'inexact', value: scalar(INT64, 2_000n) });
});

test('contradicting equalities leave exactly nothing', () => {
  const predicate = physicalBinary(
    physicalBinary(orderkey, '=', int(5n)),
    'AND',
    physicalBinary(orderkey, '=', int(6n)),
  );
  assert.deepEqual(filterStatistics(input, predicate, schema, 20).numRows, exact(0));
});
