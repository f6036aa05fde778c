import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOLEAN, INT32, INT64 } from '../../../../src/columnar/data-type.js';
import { scalar } from '../../../../src/columnar/scalar-value.js';
import { Schema } from '../../../../src/columnar/schema.js';
import { SessionConfig } from '../../../../src/config/session-config.js';
import type { BinaryOperator } from '../../../../src/expr/expr.js';
import { type PhysicalExpr, physicalColumn, physicalLiteral } from '../../../../src/expr/physical-expr.js';
import { displayPhysicalExpr } from '../../../../src/expr/physical-expr-display.js';
import { conjunction } from '../../../../src/expr/physical-expr-transform.js';
import { physicalBinary, physicalCast } from '../../../../src/expr/physical-planner.js';
import { ParquetTable } from '../../../../src/sources/parquet/parquet-table.js';
import { buildPruningPredicate } from '../../../../src/sources/parquet/pruning-predicate.js';
import { displayGuarantees, requiredGuarantees } from '../../../../src/sources/parquet/required-guarantees.js';
import { fixturesTpch } from '../../../support/repository.js';
import { runPython, skipWithoutYardstick } from '../../../support/yardsticks.js';

const lineitem = await ParquetTable.open(`${fixturesTpch}/lineitem`, SessionConfig.defaults);
const { schema } = lineitem;

const col = (name: string): PhysicalExpr => physicalColumn(schema, schema.require(name));
/** A constant of the column's type: decimals in hundredths, dates in days. */
const lit = (name: string, value: bigint | string | number): PhysicalExpr =>
  physicalLiteral(scalar(schema.field(schema.require(name)).type, value));
const cmp = (name: string, op: BinaryOperator, value: bigint | string | number): PhysicalExpr =>
  physicalBinary(col(name), op, lit(name, value));
const and = (...parts: PhysicalExpr[]): PhysicalExpr => conjunction(parts) ?? assert.fail();
const or = (...parts: PhysicalExpr[]): PhysicalExpr => parts.reduce((a, b) => physicalBinary(a, 'OR', b));
const like = (name: string, pattern: string, negated = false): PhysicalExpr => ({
  kind: 'like',
  expr: col(name),
  pattern: lit(name, pattern),
  negated,
  caseInsensitive: false,
  escape: '\\',
  type: BOOLEAN,
  nullable: false,
});
const inList = (name: string, values: readonly (bigint | string)[], negated = false): PhysicalExpr => ({
  kind: 'in_list',
  expr: col(name),
  list: values.map((value) => lit(name, value)),
  negated,
  type: BOOLEAN,
  nullable: false,
});
const plus1 = (name: string): PhysicalExpr => physicalBinary(col(name), '+', lit(name, 1n));

/** SQL → the same predicate by hand, and what DataFusion 55 prints after it. */
const cases: readonly (readonly [sql: string, expr: PhysicalExpr, text: string])[] = [
  [
    'l_orderkey = 5',
    cmp('l_orderkey', '=', 5n),
    'pruning_predicate=l_orderkey_null_count@2 != row_count@3 AND l_orderkey_min@0 <= 5 AND 5 <= l_orderkey_max@1, required_guarantees=[l_orderkey in (5)]',
  ],
  [
    'l_orderkey <> 5 and l_partkey >= 7',
    and(cmp('l_orderkey', '!=', 5n), cmp('l_partkey', '>=', 7n)),
    'pruning_predicate=l_orderkey_null_count@2 != row_count@3 AND (l_orderkey_min@0 != 5 OR 5 != l_orderkey_max@1) AND l_partkey_null_count@5 != row_count@3 AND l_partkey_max@4 >= 7, required_guarantees=[l_orderkey not in (5)]',
  ],
  [
    'l_orderkey > 1 and l_orderkey < 10',
    and(cmp('l_orderkey', '>', 1n), cmp('l_orderkey', '<', 10n)),
    'pruning_predicate=l_orderkey_null_count@1 != row_count@2 AND l_orderkey_max@0 > 1 AND l_orderkey_null_count@1 != row_count@2 AND l_orderkey_min@3 < 10, required_guarantees=[]',
  ],
  [
    'l_orderkey = 1 or l_partkey = 2',
    or(cmp('l_orderkey', '=', 1n), cmp('l_partkey', '=', 2n)),
    'pruning_predicate=l_orderkey_null_count@2 != row_count@3 AND l_orderkey_min@0 <= 1 AND 1 <= l_orderkey_max@1 OR l_partkey_null_count@6 != row_count@3 AND l_partkey_min@4 <= 2 AND 2 <= l_partkey_max@5, required_guarantees=[]',
  ],
  [
    'l_orderkey = 1 or l_partkey + 1 = 2',
    or(cmp('l_orderkey', '=', 1n), physicalBinary(plus1('l_partkey'), '=', lit('l_partkey', 2n))),
    '',
  ],
  [
    "l_comment like 'for%'",
    like('l_comment', 'for%'),
    'pruning_predicate=l_comment_null_count@2 != row_count@3 AND l_comment_min@0 <= fos AND for <= l_comment_max@1, required_guarantees=[]',
  ],
  [
    "l_comment like 'a\\_b%'",
    like('l_comment', 'a\\_b%'),
    'pruning_predicate=l_comment_null_count@2 != row_count@3 AND l_comment_min@0 <= a_c AND a_b <= l_comment_max@1, required_guarantees=[]',
  ],
  [
    "l_comment not like 'abc%'",
    like('l_comment', 'abc%', true),
    'pruning_predicate=l_comment_null_count@2 != row_count@3 AND (l_comment_min@0 NOT LIKE abc% OR l_comment_max@1 NOT LIKE abc%), required_guarantees=[]',
  ],
  ["l_comment not like 'a_c%'", like('l_comment', 'a_c%', true), ''],
  [
    'l_orderkey not in (1,2,3,4)',
    inList('l_orderkey', [1n, 2n, 3n, 4n], true),
    'pruning_predicate=l_orderkey_null_count@2 != row_count@3 AND (l_orderkey_min@0 != 1 OR 1 != l_orderkey_max@1) AND l_orderkey_null_count@2 != row_count@3 AND (l_orderkey_min@0 != 2 OR 2 != l_orderkey_max@1) AND l_orderkey_null_count@2 != row_count@3 AND (l_orderkey_min@0 != 3 OR 3 != l_orderkey_max@1) AND l_orderkey_null_count@2 != row_count@3 AND (l_orderkey_min@0 != 4 OR 4 != l_orderkey_max@1), required_guarantees=[l_orderkey not in (1, 2, 3, 4)]',
  ],
  [
    'l_orderkey in (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21)',
    inList(
      'l_orderkey',
      Array.from({ length: 21 }, (_, i) => BigInt(i + 1)),
    ),
    'pruning_predicate=true, required_guarantees=[l_orderkey in (1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 2, 20, 21, 3, 4, 5, 6, 7, 8, 9)]',
  ],
  [
    'l_discount between 0.05 and 0.07',
    and(cmp('l_discount', '>=', 5n), cmp('l_discount', '<=', 7n)),
    'pruning_predicate=l_discount_null_count@1 != row_count@2 AND l_discount_max@0 >= 0.05 AND l_discount_null_count@1 != row_count@2 AND l_discount_min@3 <= 0.07, required_guarantees=[]',
  ],
  [
    "l_shipdate <= date '1998-09-02'",
    cmp('l_shipdate', '<=', 10_471),
    'pruning_predicate=l_shipdate_null_count@1 != row_count@2 AND l_shipdate_min@0 <= 1998-09-02, required_guarantees=[]',
  ],
  [
    '-l_orderkey > 5',
    physicalBinary(
      { kind: 'negative', expr: col('l_orderkey'), type: INT64, nullable: false },
      '>',
      lit('l_orderkey', 5n),
    ),
    'pruning_predicate=l_orderkey_null_count@1 != row_count@2 AND l_orderkey_min@0 < -5, required_guarantees=[]',
  ],
  [
    'cast(l_linenumber as bigint) > 3000000000',
    physicalBinary(
      physicalCast(col('l_linenumber'), INT64, false),
      '>',
      physicalLiteral(scalar(INT64, 3_000_000_000n)),
    ),
    'pruning_predicate=l_linenumber_null_count@1 != row_count@2 AND CAST(l_linenumber_max@0 AS Int64) > 3000000000, required_guarantees=[]',
  ],
  [
    'l_orderkey is distinct from 5',
    cmp('l_orderkey', 'IS DISTINCT FROM', 5n),
    'pruning_predicate=false AND l_orderkey_null_count@0 != row_count@1 OR true AND (l_orderkey_null_count@0 > 0 OR l_orderkey_min@2 != 5 OR 5 != l_orderkey_max@3), required_guarantees=[]',
  ],
  [
    "(l_returnflag = 'R' and l_linestatus = 'F') or (l_returnflag = 'A' and l_orderkey > 5)",
    or(
      and(cmp('l_returnflag', '=', 'R'), cmp('l_linestatus', '=', 'F')),
      and(cmp('l_returnflag', '=', 'A'), cmp('l_orderkey', '>', 5n)),
    ),
    'pruning_predicate=l_returnflag_null_count@2 != row_count@3 AND l_returnflag_min@0 <= R AND R <= l_returnflag_max@1 AND l_linestatus_null_count@6 != row_count@3 AND l_linestatus_min@4 <= F AND F <= l_linestatus_max@5 OR l_returnflag_null_count@2 != row_count@3 AND l_returnflag_min@0 <= A AND A <= l_returnflag_max@1 AND l_orderkey_null_count@8 != row_count@3 AND l_orderkey_max@7 > 5, required_guarantees=[l_returnflag in (A, R)]',
  ],
  [
    "l_returnflag <> ''",
    cmp('l_returnflag', '!=', ''),
    'pruning_predicate=l_returnflag_null_count@2 != row_count@3 AND (l_returnflag_min@0 !=  OR  != l_returnflag_max@1), required_guarantees=[l_returnflag not in ()]',
  ],
];

/** What follows `predicate=…` in the scan's line. */
function pruningText(predicate: PhysicalExpr): string {
  const scan = lineitem.scan({ projection: [0], limit: null, targetPartitions: 1 });
  const text = scan.withFileScan({ ...scan.fileScan, predicate }).describe(false);
  const start = text.indexOf(`, predicate=${displayPhysicalExpr(predicate)}`);
  assert.ok(start > 0, text);
  return text.slice(start + `, predicate=${displayPhysicalExpr(predicate)}`.length).replace(/^, /, '');
}

for (const [sql, expr, text] of cases) {
  test(`pruning text of ${sql}`, () => {
    assert.equal(pruningText(expr), text);
  });
}

test('DataFusion prints the same', { skip: skipWithoutYardstick('datafusion') }, () => {
  const script = `
import json, re, sys
from datafusion import SessionContext, SessionConfig
folder, predicates = json.load(sys.stdin)
ctx = SessionContext(SessionConfig().set('datafusion.execution.target_partitions', '1'))
ctx.register_parquet('lineitem', folder)
def text(p):
    for b in ctx.sql('EXPLAIN SELECT l_orderkey FROM lineitem WHERE ' + p).collect():
        for kind, plan in zip(b.column(0).to_pylist(), b.column(1).to_pylist()):
            if kind == 'physical_plan':
                return re.search('file_type=parquet(.*)', plan).group(1)
print(json.dumps([text(p) for p in predicates]))`;
  const answers = runPython(script, [`${fixturesTpch}/lineitem/`, cases.map(([sql]) => sql)]);
  assert.ok(Array.isArray(answers) && answers.length === cases.length);
  for (const [index, [sql, expr, text]] of cases.entries()) {
    const rest = text === '' ? '' : `, ${text}`;
    assert.equal(answers[index], `, predicate=${displayPhysicalExpr(expr)}${rest}`, sql);
  }
});

test('nulls and booleans', () => {
  const nullable = new Schema([
    { name: 'i', type: INT32, nullable: true },
    { name: 'bo', type: BOOLEAN, nullable: true },
  ]);
  const text = (expr: PhysicalExpr): string => {
    const built = buildPruningPredicate(expr, nullable, { maxInListSize: 20 });
    return built === null ? 'true' : displayPhysicalExpr(built.expr);
  };
  const [i, bo] = [physicalColumn(nullable, 0), physicalColumn(nullable, 1)];
  const isNull = (negated: boolean): PhysicalExpr => ({
    kind: 'is_null',
    expr: i,
    negated,
    type: BOOLEAN,
    nullable: false,
  });
  const is1 = physicalBinary(i, '>', physicalLiteral(scalar(INT32, 1)));
  assert.equal(text(isNull(false)), 'i_null_count@0 > 0');
  assert.equal(text(isNull(true)), 'i_null_count@1 != row_count@0');
  assert.equal(text(bo), 'bo_min@0 OR bo_max@1');
  const notBo: PhysicalExpr = { kind: 'not', expr: bo, type: BOOLEAN, nullable: true };
  assert.equal(
    text(physicalBinary(notBo, 'OR', is1)),
    'NOT bo_min@0 OR NOT bo_max@1 OR i_null_count@3 != row_count@4 AND i_max@2 > 1',
  );
  assert.equal(text(physicalLiteral(scalar(BOOLEAN, true))), 'true');
});

test('guarantees intersect, unite, and give up for good', () => {
  const guarantees = (...parts: PhysicalExpr[]): string => displayGuarantees(requiredGuarantees(and(...parts)));
  const mode = (values: readonly string[], negated = false): PhysicalExpr => inList('l_shipmode', values, negated);
  assert.equal(guarantees(mode(['AIR', 'MAIL', 'SHIP']), mode(['SHIP', 'AIR', 'RAIL'])), 'l_shipmode in (AIR, SHIP)');
  assert.equal(guarantees(mode(['AIR']), mode(['RAIL']), mode(['AIR'])), '');
  assert.equal(
    guarantees(mode(['FOB'], true), cmp('l_shipmode', '!=', 'AIR'), mode(['RAIL'])),
    'l_shipmode in (RAIL), l_shipmode not in (AIR, FOB)',
  );
  assert.equal(
    guarantees(physicalBinary(physicalCast(col('l_linenumber'), INT64, false), '=', lit('l_orderkey', 3n))),
    '',
  );
});
