/** The three texts of logical expressions and the typed form of constants, as DataFusion 55 prints them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BOOLEAN,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  INT32,
  INT64,
  INTERVAL,
  NULL,
  timestamp,
  UTF8,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { scalar } from '../../../src/columnar/scalar-value.js';
import { alias, binary, cast, column, type Expr, literal } from '../../../src/expr/expr.js';
import { displayExpr, displayLiteral, displaySort, humanName, schemaName } from '../../../src/expr/expr-display.js';

const a = column('a', 't');
const one = literal(scalar(INT64, 1n));
const product = binary(a, '*', binary(one, '-', cast(column('b', 't'), FLOAT64)));

function texts(expr: Expr): readonly [string, string, string] {
  return [displayExpr(expr), schemaName(expr), humanName(expr)];
}

test('only EXPLAIN has parentheses and casts; only people see bare constants', () => {
  assert.deepEqual(texts(product), [
    't.a * (Int64(1) - CAST(t.b AS Float64))',
    't.a * Int64(1) - t.b',
    't.a * 1 - t.b',
  ]);
  assert.deepEqual(texts(alias(product, 'x')), ['t.a * (Int64(1) - CAST(t.b AS Float64)) AS x', 'x', 'x']);
});

test('operators of equal strength take no parentheses, weaker ones do', () => {
  const sum = binary(binary(a, '+', one), '-', one);
  assert.equal(displayExpr(sum), 't.a + Int64(1) - Int64(1)');
  const either = binary(binary(a, '=', one), 'OR', binary(a, '<', one));
  assert.equal(
    displayExpr(binary(either, 'AND', either)),
    '(t.a = Int64(1) OR t.a < Int64(1)) AND (t.a = Int64(1) OR t.a < Int64(1))',
  );
  assert.equal(
    displayExpr(binary(binary(a, '>', one), 'IS NOT DISTINCT FROM', one)),
    '(t.a > Int64(1)) IS NOT DISTINCT FROM Int64(1)',
  );
});

test('predicates', () => {
  const list: Expr = { kind: 'in_list', expr: a, list: [one, literal(scalar(INT64, 2n))], negated: true };
  assert.deepEqual(texts(list), [
    't.a NOT IN ([Int64(1), Int64(2)])',
    't.a NOT IN Int64(1), Int64(2)',
    't.a NOT IN ([1, 2])',
  ]);
  const like: Expr = {
    kind: 'like',
    expr: a,
    pattern: literal(scalar(UTF8, 'x%')),
    negated: false,
    escape: '!',
    caseInsensitive: true,
    similarTo: false,
  };
  assert.deepEqual(texts(like), [
    't.a ILIKE Utf8("x%") ESCAPE \'!\'',
    't.a ILIKE Utf8("x%") CHAR \'!\'',
    "t.a ILIKE x% CHAR '!'",
  ]);
  assert.equal(displayExpr({ kind: 'is', expr: a, test: 'UNKNOWN', negated: true }), 't.a IS NOT UNKNOWN');
  assert.equal(displayExpr({ kind: 'negative', expr: a }), '(- t.a)');
});

test('CASE and sort keys', () => {
  const expr: Expr = { kind: 'case', operand: a, branches: [{ when: one, then: a }], otherwise: one };
  assert.equal(displayExpr(expr), 'CASE t.a WHEN Int64(1) THEN t.a ELSE Int64(1) END');
  assert.equal(displaySort({ expr: a, descending: true, nullsFirst: false }), 't.a DESC NULLS LAST');
});

test('constants', () => {
  const cases: readonly (readonly [Parameters<typeof displayLiteral>[0], string])[] = [
    [scalar(NULL, null), 'NULL'],
    [scalar(INT64, null), 'Int64(NULL)'],
    [scalar(INT32, -5), 'Int32(-5)'],
    [scalar(BOOLEAN, true), 'Boolean(true)'],
    [scalar(UTF8_VIEW, 'a"b'), 'Utf8View("a"b")'],
    [scalar(UTF8, null), 'Utf8(NULL)'],
    [scalar(FLOAT64, 0.05), 'Float64(0.05)'],
    [scalar(FLOAT64, 1), 'Float64(1)'],
    [scalar(FLOAT64, -0), 'Float64(-0)'],
    [scalar(FLOAT64, 1e21), 'Float64(1000000000000000000000)'],
    [scalar(FLOAT64, -Infinity), 'Float64(-inf)'],
    [scalar(FLOAT32, Math.fround(0.1)), 'Float32(0.1)'],
    [scalar(decimal(15, 2), 5n), 'Decimal128(0.05,15,2)'],
    [scalar(decimal(10, 2), null), 'Decimal128(NULL,10,2)'],
    [scalar(DATE32, 10471), 'Date32("1998-09-02")'],
    [scalar(timestamp('ns'), 1_000_000_000n), 'TimestampNanosecond(1000000000, None)'],
    [
      scalar(INTERVAL, { months: 0, days: 90, nanos: 0n }),
      'IntervalMonthDayNano("IntervalMonthDayNano { months: 0, days: 90, nanoseconds: 0 }")',
    ],
    [scalar({ kind: 'Binary' }, new Uint8Array([0, 255])), 'Binary("0,255")'],
  ];
  for (const [value, text] of cases) assert.equal(displayLiteral(value), text);
});
