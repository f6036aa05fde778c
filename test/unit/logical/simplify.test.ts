/** Simplification and null rejection, tried on random expressions: with constants for columns both sides must say the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  field,
  INT32,
  INT64,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { Schema } from '../../../src/columnar/schema.js';
import { type ScalarValue, scalar, scalarValuesIdentical } from '../../../src/columnar/scalar-value.js';
import { evaluateConstant } from '../../../src/expr/constant-evaluator.js';
import { binary, type BinaryOperator, cast, column, type Expr, literal } from '../../../src/expr/expr.js';
import { displayExpr, displayLiteral } from '../../../src/expr/expr-display.js';
import { columnsOf, replaceColumns } from '../../../src/expr/expr-transform.js';
import { DFSchema } from '../../../src/logical/df-schema.js';
import { losslessLiteral } from '../../../src/logical/literal-cast.js';
import { rejectsNull } from '../../../src/logical/null-rejection.js';
import { coerceExpr } from '../../../src/logical/rules/coerce-expr.js';
import { simplifyExpr } from '../../../src/logical/simplify/expr-simplifier.js';
import { cheapFirst, simplifyPredicates } from '../../../src/logical/simplify/predicates.js';
import { SimplifyInfo } from '../../../src/logical/simplify/simplify-info.js';
import { conjunction, splitConjunction } from '../../../src/expr/expr-utils.js';

const COLUMNS: Readonly<Record<string, { readonly type: DataType; readonly values: readonly ScalarValue['value'][] }>> =
  {
    i: { type: INT64, values: [null, -1n, 0n, 1n, 2n, 5n] },
    n: { type: INT32, values: [-1, 0, 1, 3, 7] },
    d: { type: decimal(15, 2), values: [null, 0n, 5n, 100n, 250n, -300n] },
    s: { type: UTF8_VIEW, values: [null, '', 'a', 'ab', 'abc', '%', 'b_'] },
    t: { type: DATE32, values: [null, 9130, 9131, 9496, 0] },
    b: { type: BOOLEAN, values: [null, true, false] },
  };

/** Without a null among its values a column is declared so. */
const schema = DFSchema.fromSchema(
  new Schema(Object.entries(COLUMNS).map(([name, { type, values }]) => field(name, type, values.includes(null)))),
  't',
);
const info = new SimplifyInfo(schema, { evaluate: evaluateConstant });

const int = (value: number): Expr => literal(scalar(INT64, BigInt(value)));
const column_ = (name: string): Expr => column(name, 't');

const number = fc.letrec<{ value: Expr }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(column_('i'), column_('n'), column_('d')),
    fc.integer({ min: -2, max: 7 }).map(int),
    fc.constant(literal(scalar(INT64, null))),
    fc.constant(cast(column_('n'), INT64)),
    fc
      .tuple(tie('value'), fc.constantFrom<BinaryOperator>('+', '-', '*'), tie('value'))
      .map(([left, op, right]) => binary(left, op, right)),
    tie('value').map((expr): Expr => ({ kind: 'negative', expr })),
  ),
})).value;

const comparison: fc.Arbitrary<Expr> = fc.oneof(
  fc
    .tuple(number, fc.constantFrom<BinaryOperator>('=', '!=', '<', '<=', '>', '>=', 'IS DISTINCT FROM'), number)
    .map(([left, op, right]) => binary(left, op, right)),
  fc
    .tuple(
      fc.constantFrom('i', 'n', 'd'),
      fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
    )
    .map(([name, list, negated]): Expr => ({ kind: 'in_list', expr: column_(name), list: list.map(int), negated })),
  fc
    .tuple(number, number, number, fc.boolean())
    .map(([expr, low, high, negated]): Expr => ({ kind: 'between', expr, low, high, negated })),
  fc.tuple(fc.constantFrom('', '%', 'a', 'a%', '%%b', 'a_', 'a\\%'), fc.boolean()).map(
    ([pattern, negated]): Expr => ({
      kind: 'like',
      expr: column_('s'),
      pattern: literal(scalar(UTF8_VIEW, pattern)),
      negated,
      escape: null,
      caseInsensitive: false,
      similarTo: false,
    }),
  ),
  fc
    .constantFrom('a', '^a', 'b$', '^ab$')
    .map((pattern) => binary(column_('s'), '~', literal(scalar(UTF8_VIEW, pattern)))),
  fc.constantFrom<BinaryOperator>('=', '<', '>=').map((op) => binary(column_('t'), op, literal(scalar(DATE32, 9131)))),
);

const predicate = fc.letrec<{ value: Expr }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.constant(column_('b')),
    fc.constantFrom(true, false, null).map((value) => literal(scalar(BOOLEAN, value))),
    fc
      .tuple(tie('value'), fc.constantFrom<BinaryOperator>('AND', 'OR'), tie('value'))
      .map(([left, op, right]) => binary(left, op, right)),
    tie('value').map((expr): Expr => ({ kind: 'not', expr })),
    fc
      .tuple(tie('value'), fc.constantFrom('NULL', 'TRUE', 'FALSE', 'UNKNOWN'), fc.boolean())
      .map(([expr, test_, negated]): Expr => ({ kind: 'is', expr, test: test_, negated })),
    fc
      .tuple(tie('value'), tie('value'), fc.option(tie('value')))
      .map(([when, then, otherwise]): Expr => ({ kind: 'case', operand: null, branches: [{ when, then }], otherwise })),
  ),
})).value;

const row = fc.record(
  Object.fromEntries(Object.entries(COLUMNS).map(([name, { values }]) => [name, fc.constantFrom(...values)])),
);

type Row = Readonly<Record<string, ScalarValue['value']>>;

/** The value over a row; undefined when computing it fails. */
function evaluate(expr: Expr, values: Row): ScalarValue | undefined {
  const bound = replaceColumns(expr, ({ name }) => literal(scalar(COLUMNS[name]!.type, values[name] ?? null)));
  return bound.kind === 'literal' ? bound.value : evaluateConstant(bound);
}

function coerced(expr: Expr): Expr {
  return coerceExpr(expr, schema, (subquery) => subquery);
}

test('a simplified expression says what the expression said', () => {
  fc.assert(
    fc.property(predicate, row, (expr, values) => {
      const before = coerced(expr);
      const after = simplifyExpr(before, info);
      const wanted = evaluate(before, values);
      // An expression that fails may stop failing; one that does not must not start.
      if (wanted === undefined) return;
      const found = evaluate(after, values);
      assert.ok(
        found !== undefined && scalarValuesIdentical(found.value, wanted.value),
        `${displayExpr(before)} is ${displayLiteral(wanted)}, ${displayExpr(after)} is ${found === undefined ? 'an error' : displayLiteral(found)}`,
      );
    }),
    { numRuns: 3000 },
  );
});

test('conjuncts that others imply change nothing, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(comparison, { minLength: 1, maxLength: 6 }), row, (list, values) => {
      const before = splitConjunction(simplifyExpr(coerced(conjunction(list)!), info));
      const simpler = simplifyPredicates(before);
      const after = conjunction(cheapFirst(simpler) ?? simpler);
      const wanted = evaluate(conjunction(before)!, values);
      if (wanted === undefined) return;
      // As filters: null and false both drop the row.
      assert.equal(after === undefined || evaluate(after, values)?.value === true, wanted.value === true);
    }),
    { numRuns: 1000 },
  );
});

test('a predicate that rejects null is not true where the column is null', () => {
  let rejected = 0;
  fc.assert(
    fc.property(predicate, row, (expr, values) => {
      const typed = coerced(expr);
      for (const used of columnsOf(typed)) {
        if (!rejectsNull(typed, [used])) continue;
        rejected++;
        assert.notEqual(evaluate(typed, { ...values, [used.name]: null })?.value, true, displayExpr(typed));
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(rejected > 500);
});

test('constants change type only where nothing is lost', () => {
  const cases: readonly (readonly [ScalarValue, DataType, ScalarValue['value'] | undefined])[] = [
    [scalar(INT64, 15n), INT32, 15],
    [scalar(INT64, 2n ** 31n), INT32, undefined],
    [scalar(decimal(30, 15), 50_000_000_000_000n), decimal(15, 2), 5n],
    [scalar(decimal(30, 15), 55_000_000_000_000n), decimal(15, 2), undefined],
    [scalar(decimal(22, 2), 2400n), INT64, 24n],
    [scalar(decimal(22, 2), 2450n), INT64, undefined],
    [scalar(INT64, 10n ** 14n), decimal(15, 2), undefined],
    [scalar(INT64, null), INT32, null],
    [scalar(UTF8_VIEW, 'x'), INT32, undefined],
    [
      scalar({ kind: 'Timestamp', unit: 'ns', timezone: null }, 5_000_000n),
      { kind: 'Timestamp', unit: 'ms', timezone: null },
      5n,
    ],
    [
      scalar({ kind: 'Timestamp', unit: 'ns', timezone: null }, 5_000_001n),
      { kind: 'Timestamp', unit: 'ms', timezone: null },
      undefined,
    ],
  ];
  for (const [value, type, expected] of cases) assert.equal(losslessLiteral(value, type)?.value, expected);
});
