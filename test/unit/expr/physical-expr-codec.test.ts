import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BINARY_VIEW,
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  field,
  INT32,
  INT64,
  INTERVAL,
  NULL,
  timestamp,
  UINT64,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { type ScalarValue, scalar, scalarValuesIdentical } from '../../../src/columnar/scalar-value.js';
import { Schema } from '../../../src/columnar/schema.js';
import type { FunctionRegistry } from '../../../src/expr/function.js';
import { ExprCodecImpl } from '../../../src/expr/physical-expr-codec.js';
import { physicalExprKey } from '../../../src/expr/physical-expr-transform.js';
import { type PhysicalExpr, physicalLiteral } from '../../../src/expr/physical-expr.js';
import { physicalBinary, physicalCast } from '../../../src/expr/physical-planner.js';

const noFunctions: FunctionRegistry = {
  scalar: () => undefined,
  aggregate: () => undefined,
  window: () => undefined,
  names: () => [],
};
const codec = new ExprCodecImpl(noFunctions);

const anyScalar: fc.Arbitrary<ScalarValue> = fc.oneof(
  fc.constant(scalar(NULL, null)),
  fc.boolean().map((v) => scalar(BOOLEAN, v)),
  fc.integer().map((v) => scalar(INT32, v)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((v) => scalar(INT64, v)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((v) => scalar(UINT64, v)),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 0.1, 5e-324).map((v) => scalar(FLOAT64, v)),
  fc.double().map((v) => scalar(FLOAT64, v)),
  fc.float().map((v) => scalar(FLOAT32, v)),
  fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }).map((v) => scalar(decimal(38, 7), v)),
  fc.string({ unit: 'binary' }).map((v) => scalar(UTF8_VIEW, v)),
  fc.uint8Array().map((v) => scalar(BINARY_VIEW, v)),
  fc.integer().map((v) => scalar(DATE32, v)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((v) => scalar(timestamp('us', 'UTC'), v)),
  fc
    .record({ months: fc.integer(), days: fc.integer(), nanos: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) })
    .map((v) => scalar(INTERVAL, v)),
  fc
    .constantFrom<DataType>(BOOLEAN, INT64, FLOAT64, decimal(5, 1), UTF8_VIEW, DATE32, INTERVAL)
    .map((type) => scalar(type, null)),
);

test('every constant survives the codec bit for bit, with its type', () => {
  fc.assert(
    fc.property(anyScalar, (value) => {
      const back = codec.decodeScalar(codec.scalar(value));
      assert.deepEqual(back.type, value.type);
      assert.ok(scalarValuesIdentical(back.value, value.value));
    }),
    { numRuns: 2000 },
  );
});

test('expressions and schemas survive the codec', () => {
  const a: PhysicalExpr = { kind: 'column', name: 'a', index: 3, type: decimal(15, 2), nullable: true };
  const one = physicalLiteral(scalar(decimal(20, 0), 1n));
  const expr: PhysicalExpr = {
    kind: 'case',
    operand: null,
    branches: [{ when: physicalBinary(a, '<', one), then: physicalCast(physicalBinary(a, '*', one), FLOAT64) }],
    otherwise: physicalLiteral(scalar(FLOAT64, -0)),
    type: FLOAT64,
    nullable: true,
  };
  const back = codec.decodeExpr(codec.expr(expr));
  assert.deepEqual(back, expr);
  assert.equal(physicalExprKey(back), physicalExprKey(expr));
  const schema = new Schema([
    field('x', { kind: 'List', element: field('item', { kind: 'Time64', unit: 'ns' }) }, false),
    field('y', { kind: 'Struct', fields: [field('z', timestamp('ms', 'Europe/Berlin'))] }),
  ]);
  assert.ok(codec.decodeSchema(codec.schema(schema)).equals(schema));
});

test('what does not decode is a protocol error', () => {
  const call = { kind: 'scalar_function', func: 'no_such', args: [], type: 'Int64', nullable: true };
  for (const bad of [null, 5, {}, { kind: 'column' }, { kind: 'nonsense', type: 'Int64', nullable: true }, call]) {
    assert.throws(() => codec.decodeExpr(bad), { name: 'DistqError', kind: 'protocol' });
  }
});
