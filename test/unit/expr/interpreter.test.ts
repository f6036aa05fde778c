import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../src/columnar/arena.js';
import { Column, makeDictionary } from '../../../src/columnar/column.js';
import {
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT64,
  field,
  INT32,
  INT64,
  INTERVAL,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { columnFromValues } from '../../../src/columnar/from-values.js';
import { heap } from '../../../src/columnar/heap.js';
import { RecordBatch } from '../../../src/columnar/record-batch.js';
import { type ScalarValue, scalar } from '../../../src/columnar/scalar-value.js';
import { Schema } from '../../../src/columnar/schema.js';
import { valueAt } from '../../../src/columnar/value-at.js';
import { alias, binary, cast, column, type Expr, literal } from '../../../src/expr/expr.js';
import { createExpressionCompiler } from '../../../src/expr/expression-compiler.js';
import { toPhysicalExpr } from '../../../src/expr/physical-planner.js';
import { createFunctionRegistry } from '../../../src/functions/index.js';
import { DFSchema } from '../../../src/logical/df-schema.js';

// Above 2 GiB, in memory that is never zero by chance.
heap.configure({ poison: true, highAddresses: true });

type Value = ScalarValue['value'];

const compiler = createExpressionCompiler('interpreter');
const functions = createFunctionRegistry();
const arena = new Arena();

function batchOf(columns: Readonly<Record<string, readonly [DataType, readonly Value[]]>>): RecordBatch {
  const entries = Object.entries(columns);
  const schema = new Schema(entries.map(([name, [type]]) => field(name, type)));
  return new RecordBatch(
    schema,
    entries.map(([, [type, values]]) => columnFromValues(type, values, arena)),
    entries[0]?.[1][1].length ?? 1,
  );
}

function select(batch: RecordBatch, rows: readonly number[]): RecordBatch {
  const selection = arena.alloc(rows.length * 4);
  for (const [i, row] of rows.entries()) heap.u32[(selection >>> 2) + i] = row;
  return batch.withSelection(selection, rows.length);
}

function evaluate(expr: Expr, batch: RecordBatch): Value[] {
  const physical = toPhysicalExpr(expr, DFSchema.fromSchema(batch.schema, null));
  const [result] = compiler.projection([physical]).evaluate(batch, arena);
  assert.ok(result !== undefined);
  assert.deepEqual(result.type, physical.type);
  return Array.from({ length: batch.numRows }, (_, i) =>
    valueAt(result, batch.selection === 0 ? i : heap.u32[(batch.selection >>> 2) + i]!),
  );
}

function filtered(expr: Expr, batch: RecordBatch): number[] {
  const physical = toPhysicalExpr(expr, DFSchema.fromSchema(batch.schema, null));
  const result = compiler.filter(physical).filter(batch, arena);
  return Array.from({ length: result.numRows }, (_, i) =>
    result.selection === 0 ? i : heap.u32[(result.selection >>> 2) + i]!,
  );
}

const int = (value: number): Expr => literal(scalar(INT64, BigInt(value)));
const text = (value: string): Expr => literal(scalar(UTF8_VIEW, value));
const call = (name: string, ...args: Expr[]): Expr => ({
  kind: 'scalar_function',
  func: functions.scalar(name)!,
  args,
});
const evalOne = (expr: Expr): Value => evaluate(expr, batchOf({ one: [INT64, [1n]] }))[0]!;

test('three-valued logic', () => {
  const batch = batchOf({
    a: [BOOLEAN, [true, true, true, false, false, false, null, null, null]],
    b: [BOOLEAN, [true, false, null, true, false, null, true, false, null]],
  });
  const [a, b] = [column('a'), column('b')];
  assert.deepEqual(evaluate(binary(a, 'AND', b), batch), [true, false, null, false, false, false, null, false, null]);
  assert.deepEqual(evaluate(binary(a, 'OR', b), batch), [true, true, true, true, false, null, true, null, null]);
  assert.deepEqual(evaluate({ kind: 'not', expr: a }, batch).slice(0, 7), [
    false,
    false,
    false,
    true,
    true,
    true,
    null,
  ]);
  assert.deepEqual(evaluate({ kind: 'is', expr: a, test: 'TRUE', negated: true }, batch), [
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
});

test('AND, OR, CASE and coalesce keep fallible arms from rows that do not reach them', () => {
  const batch = batchOf({ a: [INT64, [10n, 10n, null]], b: [INT64, [0n, 5n, 0n]] });
  const [a, b] = [column('a'), column('b')];
  const quotient = binary(a, '/', b);
  assert.throws(() => evaluate(quotient, batch), {
    kind: 'execution',
    message: 'division by zero: 10 / 0 in a@0 / b@1',
  });
  const guarded = binary(binary(b, '!=', int(0)), 'AND', binary(quotient, '>', int(1)));
  assert.deepEqual(evaluate(guarded, batch), [false, true, false]);
  const either = binary(binary(b, '=', int(0)), 'OR', binary(quotient, '>', int(1)));
  assert.deepEqual(evaluate(either, batch), [true, true, true]);
  const chosen: Expr = {
    kind: 'case',
    operand: null,
    branches: [{ when: binary(b, '!=', int(0)), then: quotient }],
    otherwise: int(-1),
  };
  assert.deepEqual(evaluate(chosen, batch), [-1n, 2n, -1n]);
  assert.deepEqual(evaluate(call('coalesce', int(1), binary(int(1), '/', int(0))), batch), [1n, 1n, 1n]);
  // Rows outside the selection do not reach it either.
  assert.deepEqual(evaluate(quotient, select(batch, [1, 2])), [2n, null]);
});

test('decimals compute at the scales of their types', () => {
  const dec = (value: bigint, p: number, s: number): Expr => literal(scalar(decimal(p, s), value));
  assert.equal(evalOne(binary(dec(100n, 10, 2), '/', dec(300n, 10, 2))), 333_333n);
  assert.equal(evalOne(binary(dec(-200n, 10, 2), '/', dec(300n, 10, 2))), -666_666n);
  assert.equal(evalOne(binary(dec(1n, 20, 0), '-', dec(5n, 15, 2))), 95n);
  assert.equal(evalOne(binary(dec(12_345n, 15, 2), '*', dec(95n, 23, 2))), 1_172_775n);
  assert.equal(evalOne(binary(dec(700n, 10, 2), '%', dec(3000n, 10, 3))), 1000n);
  assert.throws(() => evalOne(binary(dec(10n ** 38n - 1n, 38, 0), '+', dec(1n, 38, 0))), { kind: 'execution' });
  assert.equal(evalOne(cast(literal(scalar(FLOAT64, 0.06999999999999999)), decimal(15, 2))), 7n);
  assert.equal(evalOne(cast(literal(scalar(FLOAT64, -2.665)), decimal(10, 2))), -267n);
  assert.equal(evalOne(cast(dec(-25n, 15, 1), decimal(10, 0))), -3n);
  assert.equal(evalOne(cast(text('123.455'), decimal(10, 2))), 12_346n);
});

test('integers are checked', () => {
  const batch = batchOf({ x: [INT64, [2n ** 63n - 1n]], y: [INT32, [-(2 ** 31)]] });
  assert.throws(() => evaluate(binary(column('x'), '+', int(1)), batch), { kind: 'execution' });
  assert.throws(() => evaluate({ kind: 'negative', expr: column('y') }, batch), { kind: 'execution' });
  assert.throws(() => evaluate(call('abs', column('y')), batch), { kind: 'execution' });
  assert.throws(() => evaluate(binary(column('y'), '/', literal(scalar(INT32, -1))), batch), { kind: 'execution' });
});

test('dates move by intervals and differ in days', () => {
  const day = (value: string): Expr => cast(text(value), DATE32);
  const span = (months: number, days: number, hours: number): Expr =>
    literal(scalar(INTERVAL, { months, days, nanos: BigInt(hours) * 3_600_000_000_000n }));
  const shown = (expr: Expr): Value => evalOne(cast(expr, UTF8_VIEW));
  assert.equal(shown(binary(day('2020-01-31'), '+', span(1, 0, 0))), '2020-02-29');
  assert.equal(shown(binary(day('2020-03-31'), '-', span(1, 0, 0))), '2020-02-29');
  assert.equal(shown(binary(day('2020-01-01'), '+', span(0, 0, 25))), '2020-01-02');
  assert.equal(shown(binary(day('2020-01-01'), '-', span(0, 0, 25))), '2019-12-31');
  assert.equal(shown(binary(day('2020-01-01'), '+', span(0, 0, 1))), '2020-01-01');
  assert.equal(evalOne(binary(day('2020-03-01'), '-', day('2020-01-01'))), 60n);
});

test('LIKE counts code points, obeys its escape and never backtracks', () => {
  const like = (value: string, pattern: string, options: Partial<Extract<Expr, { kind: 'like' }>> = {}): Value =>
    evalOne({
      kind: 'like',
      expr: text(value),
      pattern: text(pattern),
      negated: false,
      escape: null,
      caseInsensitive: false,
      similarTo: false,
      ...options,
    });
  const cases: [string, string, boolean][] = [
    ['abc', 'a%', true],
    ['abc', 'A%', false],
    ['a%c', 'a\\%c', true],
    ['abc', 'a\\%c', false],
    ['héc', 'h_c', true],
    ['a\\b', 'a\\\\b', true],
    ['abc', '', false],
    ['', '%', true],
    ['', '', true],
    ['abc', '%b%', true],
    ['abcbd', 'a%b_', true],
    ['abab', '%ab', true],
    ['ab', 'ab%ab', false],
    ['special packages requests', '%special%requests%', true],
    ['x', '_', true],
    ['😀', '_', true],
    ['ab', '_', false],
    ['aab', '%_b', true],
  ];
  for (const [value, pattern, expected] of cases) assert.equal(like(value, pattern), expected, `${value} ~ ${pattern}`);
  assert.equal(like('ABC', 'aB%', { caseInsensitive: true }), true);
  assert.equal(like('a%', 'a!%', { escape: '!' }), true);
  assert.equal(like('abc', 'a%', { negated: true }), false);
  assert.equal(like('a'.repeat(50_000), `${'a%'.repeat(20)}b`), false);
});

test('IN lists follow three-valued logic', () => {
  const batch = batchOf({ x: [INT64, [1n, 2n, null]] });
  const within = (list: Expr[], negated = false): Value[] =>
    evaluate({ kind: 'in_list', expr: column('x'), list, negated }, batch);
  const none = literal(scalar(INT64, null));
  assert.deepEqual(within([int(1), int(3)]), [true, false, null]);
  assert.deepEqual(within([int(1), none]), [true, null, null]);
  assert.deepEqual(within([int(1), none], true), [false, null, null]);
  assert.deepEqual(within([binary(column('x'), '+', int(0)), none]), [true, true, null]);
});

test('casts between kinds', () => {
  assert.equal(evalOne(cast(text(' 12 '), INT64)), 12n);
  assert.throws(() => evalOne(cast(text('12.5'), INT64)), {
    kind: 'execution',
    message: 'cannot cast "12.5" to Int64 in CAST(12.5 AS Int64)',
  });
  assert.equal(evalOne(cast(text('x'), INT64, true)), null);
  assert.equal(evalOne(cast(literal(scalar(FLOAT64, 2.9)), INT32)), 2);
  assert.equal(evalOne(cast(literal(scalar(FLOAT64, NaN)), INT32, true)), null);
  assert.equal(evalOne(cast(literal(scalar(FLOAT64, 1)), UTF8_VIEW)), '1.0');
  assert.equal(evalOne(cast(text('2020-1-5'), DATE32)), 18_266);
  assert.equal(evalOne(cast(text('off'), BOOLEAN)), false);
});

test('filters give selections in order and pass whole batches through', () => {
  const batch = batchOf({ x: [INT64, [5n, null, 7n, 1n]], s: [UTF8_VIEW, ['a', 'b', 'c', 'd']] });
  assert.deepEqual(filtered(binary(column('x'), '>', int(2)), batch), [0, 2]);
  assert.deepEqual(filtered(binary(column('s'), '>=', text('a')), batch), [0, 1, 2, 3]);
  assert.deepEqual(filtered(binary(column('x'), '>', int(100)), batch), []);
  assert.deepEqual(filtered(binary(column('x'), '>', int(2)), select(batch, [1, 2, 3])), [2]);
});

test('dictionary columns are evaluated over their values, and values that no row has cannot fail a query', () => {
  const values = columnFromValues(UTF8_VIEW, ['12', 'oops', '7'], arena);
  const dictionary = makeDictionary('view', values.values, 3);
  const codes = arena.alloc(6 * 4);
  for (const [i, code] of [0, 2, 0, 2, 0, 0].entries()) heap.u32[(codes >>> 2) + i] = code;
  const validity = arena.allocZeroed(8);
  heap.u8[validity] = 0b011111;
  const schema = new Schema([field('d', UTF8_VIEW)]);
  const batch = new RecordBatch(schema, [Column.dictionary(UTF8_VIEW, dictionary, 6, codes, validity)], 6);
  assert.deepEqual(evaluate(cast(column('d'), INT64), batch), [12n, 7n, 12n, 7n, 12n, null]);
  assert.deepEqual(evaluate(call('upper', column('d')), batch), ['12', '7', '12', '7', '12', null]);
  assert.deepEqual(filtered(binary(column('d'), '=', text('7')), batch), [1, 3]);
  assert.deepEqual(filtered({ kind: 'is', expr: column('d'), test: 'NULL', negated: false }, batch), [5]);
});

test('functions that TPC-H needs', () => {
  const year = call('date_part', text('YEAR'), cast(text('1998-09-02'), DATE32));
  assert.equal(evalOne(year), 1998);
  assert.equal(evalOne(alias(call('substr', text('13-456'), int(1), int(2)), 'x')), '13');
  assert.equal(evalOne(call('substr', text('alphabet'), int(0), int(2))), 'a');
  assert.equal(evalOne(call('substr', text('héllo'), int(2), int(1))), 'é');
  assert.equal(evalOne(call('round', literal(scalar(FLOAT64, -2.5)))), -3);
  assert.equal(evalOne(call('round', literal(scalar(decimal(15, 2), -155n)), int(1))), -16n);
  assert.equal(evalOne(call('strpos', text('héllo'), text('l'))), 3);
  assert.equal(evalOne(call('btrim', text('xyabcyx'), text('xy'))), 'abc');
  assert.equal(evalOne(call('concat', text('a'), literal(scalar(UTF8_VIEW, null)), text('b'))), 'ab');
  assert.equal(evalOne(call('nullif', int(3), int(3))), null);
  assert.equal(evalOne(call('upper', text('straße'))), 'STRASSE');
});
