import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BINARY,
  BOOLEAN,
  DATE32,
  decimal,
  FLOAT64,
  INT32,
  INT64,
  INTERVAL,
  NULL,
  timestamp,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { scalar } from '../../../src/columnar/scalar-value.js';
import type { BinaryOperator } from '../../../src/expr/expr.js';
import { displayPhysicalExpr, displaySortExprs } from '../../../src/expr/physical-expr-display.js';
import { type PhysicalExpr, physicalLiteral } from '../../../src/expr/physical-expr.js';
import { physicalBinary } from '../../../src/expr/physical-planner.js';

const col = (name: string, index: number, type = INT64): PhysicalExpr => ({
  kind: 'column',
  name,
  index,
  type,
  nullable: true,
});
const lit = (value: number): PhysicalExpr => physicalLiteral(scalar(INT64, BigInt(value)));
const bin = (left: PhysicalExpr, op: BinaryOperator, right: PhysicalExpr): PhysicalExpr =>
  physicalBinary(left, op, right);

test('a child binary expression is parenthesised only when it binds less tightly', () => {
  const [a, b, c] = [col('a', 0), col('b', 1), col('c', 2)];
  const eq = (x: PhysicalExpr, y: number): PhysicalExpr => bin(x, '=', lit(y));
  assert.equal(displayPhysicalExpr(bin(a, '*', bin(lit(1), '-', b))), 'a@0 * (1 - b@1)');
  assert.equal(displayPhysicalExpr(bin(a, '-', bin(b, '-', c))), 'a@0 - b@1 - c@2');
  assert.equal(
    displayPhysicalExpr(bin(eq(a, 1), 'AND', bin(eq(b, 2), 'OR', eq(c, 3)))),
    'a@0 = 1 AND (b@1 = 2 OR c@2 = 3)',
  );
  assert.equal(
    displayPhysicalExpr(bin(bin(eq(a, 1), 'AND', eq(b, 5)), 'OR', eq(a, 2))),
    'a@0 = 1 AND b@1 = 5 OR a@0 = 2',
  );
  assert.equal(displayPhysicalExpr(bin(bin(a, '=', b), '<', bin(a, '=', c))), '(a@0 = b@1) < (a@0 = c@2)');
});

test('literals print as DataFusion prints them in physical plans', () => {
  const texts = [
    scalar(decimal(15, 2), 2400n),
    scalar(decimal(38, 4), -5n),
    scalar(DATE32, 10_471),
    scalar(UTF8_VIEW, ''),
    scalar(BOOLEAN, true),
    scalar(NULL, null),
    scalar(FLOAT64, 100),
    scalar(FLOAT64, 1e21),
    scalar(FLOAT64, 1.5e-7),
    scalar(FLOAT64, -0),
    scalar(INT32, -5),
    scalar(timestamp('ns'), 1_000_000_000n),
    scalar(INTERVAL, { months: 0, days: 90, nanos: 0n }),
    scalar(BINARY, new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0xab, 0xff])),
  ].map((value) => displayPhysicalExpr(physicalLiteral(value)));
  assert.deepEqual(texts, [
    '24.00',
    '-0.0005',
    '1998-09-02',
    '',
    'true',
    'NULL',
    '100',
    '1000000000000000000000',
    '0.00000015',
    '-0',
    '-5',
    '1000000000',
    'IntervalMonthDayNano { months: 0, days: 90, nanoseconds: 0 }',
    '010203040506070809AB...',
  ]);
});

test('every kind of node has its text', () => {
  const s = col('s', 3, UTF8_VIEW);
  const text = (value: string): PhysicalExpr => physicalLiteral(scalar(UTF8_VIEW, value));
  const bool = { type: BOOLEAN, nullable: true };
  assert.equal(
    displayPhysicalExpr({
      kind: 'like',
      expr: s,
      pattern: text('%a%'),
      negated: true,
      caseInsensitive: true,
      escape: '\\',
      ...bool,
    }),
    's@3 NOT ILIKE %a%',
  );
  const list = [text('a'), text('b')];
  assert.equal(
    displayPhysicalExpr({ kind: 'in_list', expr: s, list, negated: true, ...bool }),
    's@3 NOT IN (SET) ([a, b])',
  );
  assert.equal(
    displayPhysicalExpr({ kind: 'in_list', expr: s, list: [s, text('b')], negated: false, ...bool }),
    's@3 IN ([s@3, b])',
  );
  assert.equal(
    displayPhysicalExpr({
      kind: 'case',
      operand: col('a', 0),
      branches: [{ when: lit(1), then: lit(2) }],
      otherwise: lit(3),
      type: INT64,
      nullable: true,
    }),
    'CASE a@0 WHEN 1 THEN 2 ELSE 3 END',
  );
  assert.equal(
    displayPhysicalExpr({ kind: 'cast', expr: s, safe: false, type: decimal(15, 4), nullable: true }),
    'CAST(s@3 AS Decimal128(15, 4))',
  );
  assert.equal(
    displayPhysicalExpr({ kind: 'cast', expr: s, safe: true, type: INT32, nullable: true }),
    'TRY_CAST(s@3 AS Int32)',
  );
  assert.equal(displayPhysicalExpr({ kind: 'not', expr: col('b', 1), ...bool }), 'NOT b@1');
  assert.equal(displayPhysicalExpr({ kind: 'negative', expr: col('b', 1), type: INT64, nullable: true }), '(- b@1)');
  assert.equal(displayPhysicalExpr({ kind: 'is_null', expr: s, negated: true, ...bool }), 's@3 IS NOT NULL');
  assert.equal(
    displaySortExprs([
      { expr: s, descending: false, nullsFirst: false },
      { expr: s, descending: true, nullsFirst: true },
      { expr: s, descending: false, nullsFirst: true },
      { expr: s, descending: true, nullsFirst: false },
    ]),
    's@3 ASC NULLS LAST, s@3 DESC, s@3 ASC, s@3 DESC NULLS LAST',
  );
});
