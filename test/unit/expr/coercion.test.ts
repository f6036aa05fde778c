/** Which types meet where, as DataFusion 55 has it. */
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
  typeName,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  UTF8,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { binarySignature } from '../../../src/expr/coercion/binary-operator.js';
import { comparisonCoercion } from '../../../src/expr/coercion/comparison.js';
import { unionCoercion } from '../../../src/expr/coercion/union.js';
import type { BinaryOperator } from '../../../src/expr/expr.js';

function name(type: DataType | undefined): string {
  return type === undefined ? 'none' : typeName(type);
}

test('comparisons', () => {
  const cases: readonly (readonly [DataType, DataType, string])[] = [
    [INT32, INT64, 'Int64'],
    [UINT32, INT16, 'Int64'],
    [UINT64, INT8, 'Decimal128(20, 0)'],
    [decimal(15, 2), INT64, 'Decimal128(22, 2)'],
    [decimal(15, 2), FLOAT64, 'Decimal128(30, 15)'],
    [decimal(15, 2), decimal(20, 6), 'Decimal128(20, 6)'],
    [FLOAT32, INT64, 'Float32'],
    [UTF8, UTF8_VIEW, 'Utf8View'],
    [UTF8, INT32, 'Int32'],
    [UTF8_VIEW, DATE32, 'Date32'],
    [UTF8, timestamp('ms'), 'Timestamp(ns)'],
    [DATE32, timestamp('ms'), 'Timestamp(ns)'],
    [timestamp('s'), timestamp('us'), 'Timestamp(µs)'],
    [DATE32, INT64, 'Date32'],
    [NULL, DATE32, 'Date32'],
    [BINARY, UTF8, 'Binary'],
    [BOOLEAN, INT64, 'none'],
    [BOOLEAN, UTF8, 'none'],
    [INTERVAL, UTF8, 'none'],
  ];
  for (const [a, b, common] of cases) {
    assert.equal(name(comparisonCoercion(a, b)), common, `${name(a)} and ${name(b)}`);
    assert.equal(name(comparisonCoercion(b, a)), common, `${name(b)} and ${name(a)}`);
  }
});

test('in unions text beats numbers', () => {
  assert.equal(name(unionCoercion([INT64, UTF8])), 'Utf8');
  assert.equal(name(unionCoercion([NULL, INT64, FLOAT64])), 'Float64');
  assert.equal(name(unionCoercion([decimal(15, 2), INT64])), 'Decimal128(22, 2)');
  assert.equal(name(unionCoercion([BOOLEAN, INT64])), 'none');
});

test('operators', () => {
  const cases: readonly (readonly [DataType, BinaryOperator, DataType, string])[] = [
    [decimal(15, 2), '+', INT64, 'Decimal128(15, 2) + Decimal128(20, 0) = Decimal128(23, 2)'],
    [decimal(15, 2), '*', decimal(15, 2), 'Decimal128(15, 2) * Decimal128(15, 2) = Decimal128(31, 4)'],
    [decimal(15, 2), '/', INT64, 'Decimal128(15, 2) / Decimal128(20, 0) = Decimal128(19, 6)'],
    [decimal(15, 2), '%', decimal(10, 4), 'Decimal128(15, 2) % Decimal128(10, 4) = Decimal128(10, 4)'],
    [decimal(15, 2), '+', FLOAT64, 'Float64 + Float64 = Float64'],
    [decimal(15, 2), '+', FLOAT32, 'Float32 + Float32 = Float32'],
    [INT32, '+', INT32, 'Int32 + Int32 = Int32'],
    [INT16, '-', UINT16, 'Int32 - Int32 = Int32'],
    [INT8, '+', UINT8, 'Int16 + Int16 = Int16'],
    [NULL, '+', NULL, 'Int64 + Int64 = Int64'],
    [NULL, '+', FLOAT64, 'Float64 + Float64 = Float64'],
    [DATE32, '-', DATE32, 'Date32 - Date32 = Int64'],
    [DATE32, '+', INT64, 'Date32 + Interval(MonthDayNano) = Date32'],
    [INTERVAL, '+', DATE32, 'Interval(MonthDayNano) + Date32 = Date32'],
    [timestamp('ns'), '-', timestamp('ns'), 'Timestamp(ns) - Timestamp(ns) = Duration(ns)'],
    [timestamp('ns'), '-', DATE32, 'Timestamp(ns) - Timestamp(ns) = Duration(ns)'],
    [INT64, '||', UTF8, 'Utf8 || Utf8 = Utf8'],
    [UTF8, '=', INT64, 'Int64 = Int64 = Boolean'],
    [INT32, '&', INT64, 'Int64 & Int64 = Int64'],
    [NULL, 'AND', BOOLEAN, 'Boolean AND Boolean = Boolean'],
  ];
  for (const [left, op, right, expected] of cases) {
    const signature = binarySignature(left, op, right);
    assert.equal(`${name(signature.left)} ${op} ${name(signature.right)} = ${name(signature.result)}`, expected);
  }
});

test('what does not fit is an error naming both types', () => {
  for (const [left, op, right] of [
    [UTF8, '+', INT64],
    [INT64, '||', INT64],
    [BOOLEAN, '=', INT64],
    [INTERVAL, '*', INT64],
    [decimal(38, 20), '*', decimal(38, 20)],
  ] as const) {
    assert.throws(
      () => binarySignature(left, op, right),
      (error: unknown) => {
        assert.ok(error instanceof Error && 'kind' in error && error.kind === 'plan');
        return error.message.includes(name(left)) && error.message.includes(name(right));
      },
    );
  }
});
