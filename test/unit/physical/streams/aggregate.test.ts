import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOLEAN, type DataType, INT64 } from '../../../../src/columnar/data-type.js';
import { scalar } from '../../../../src/columnar/scalar-value.js';
import type { Schema } from '../../../../src/columnar/schema.js';
import { type PhysicalExpr, physicalColumn, physicalLiteral } from '../../../../src/expr/physical-expr.js';
import { createFunctionRegistry } from '../../../../src/functions/index.js';
import {
  finalGroupBy,
  groupByColumns,
  type PhysicalAggregateExpr,
  type PhysicalGroupBy,
} from '../../../../src/physical/aggregate-expr.js';
import { AggregateExec } from '../../../../src/physical/operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../../../../src/physical/operators/coalesce-partitions-exec.js';
import { RepartitionExec } from '../../../../src/physical/operators/repartition-exec.js';
import type { Row, Value } from '../../../support/batches.js';
import { withArenaAsync } from '../../../support/batches.js';
import { compareValues, groupKey, randomRows } from '../../../support/random-rows.js';
import { deal, leaf, rowsOfPlan, RUN_MODES } from '../../../support/run-plan.js';

const registry = createFunctionRegistry();

function call(
  name: string,
  args: readonly PhysicalExpr[],
  { distinct = false, filter = null }: { distinct?: boolean; filter?: PhysicalExpr | null } = {},
): PhysicalAggregateExpr {
  const func = registry.aggregate(name);
  assert.ok(func !== undefined);
  const type: DataType = func.returnType(args.map((arg) => arg.type));
  const label = `${name}(${args.map((arg) => (arg.kind === 'column' ? arg.name : '*')).join(', ')})${distinct ? ' distinct' : ''}${filter === null ? '' : ' filtered'}`;
  return {
    func,
    args,
    distinct,
    filter,
    orderBy: [],
    ignoreNulls: false,
    name: label,
    text: label,
    type,
    nullable: func.nullable,
  };
}

function column(schema: Schema, index: number): PhysicalExpr {
  return physicalColumn(schema, index);
}

/**
 * count(*), sum(int), min(text), max(text), count(DISTINCT text), count(text) FILTER (int > 1), sum(int), sum(int) FILTER (int > 1).
 * Columns: keys …, Int64, Utf8View.
 */
function calls(schema: Schema, first: number): PhysicalAggregateExpr[] {
  const value = column(schema, first);
  const text = column(schema, first + 1);
  const filter: PhysicalExpr = {
    kind: 'binary',
    left: value,
    op: '>',
    right: physicalLiteral(scalar(INT64, 1n)),
    type: BOOLEAN,
    nullable: true,
  };
  return [
    call('count', [physicalLiteral(scalar(INT64, 1n))]),
    call('sum', [value]),
    call('min', [text]),
    call('max', [text]),
    call('count', [text], { distinct: true }),
    call('count', [text], { filter }),
    // The same state as the first sum, and one that only looks alike.
    call('sum', [value]),
    call('sum', [value], { filter }),
  ];
}

/** Results of `calls` over these rows. */
function expectedCalls(rows: readonly Row[], first: number): Value[] {
  const values = rows.map((row) => row[first] as Value).filter((value): value is bigint => value !== null);
  const texts = rows.map((row) => row[first + 1] as Value).filter((text): text is string => text !== null);
  const ordered = [...texts].sort(compareValues);
  const passing = rows.filter((row) => row[first] !== null && (row[first] as bigint) > 1n && row[first + 1] !== null);
  const large = values.filter((value) => value > 1n);
  return [
    BigInt(rows.length),
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0n),
    ordered[0] ?? null,
    ordered.at(-1) ?? null,
    BigInt(new Set(texts).size),
    BigInt(passing.length),
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0n),
    large.length === 0 ? null : large.reduce((sum, value) => sum + value, 0n),
  ];
}

function oracle(rows: readonly Row[], keyCount: number): string[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = groupKey(row.slice(0, keyCount));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, members]) => `${key} => ${groupKey(expectedCalls(members, keyCount))}`).sort();
}

function shown(rows: readonly Row[], keyCount: number): string[] {
  return rows.map((row) => `${groupKey(row.slice(0, keyCount))} => ${groupKey(row.slice(keyCount))}`).sort();
}

/** Rows whose Int64 values do not overflow when summed. */
function smallSums(types: readonly number[], count: number, seed: number): { schema: Schema; rows: Row[] } {
  const { schema, rows } = randomRows([...types, 0, 1], count, seed);
  const at = types.length;
  return {
    schema,
    rows: rows.map((row) =>
      row.map((value, index) => (index === at && value !== null ? (value as bigint) % 1000n : value)),
    ),
  };
}

test('one stage and two stages equal the oracle, for keys of several types', async () => {
  await withArenaAsync(async (arena) => {
    for (const settings of RUN_MODES) {
      for (const types of [[0], [1], [3], [1, 5], [4, 7, 2], [15]]) {
        const { schema, rows } = smallSums(types, 150, types[0]! + 1);
        const groupBy = groupByColumns(types.map((_, index) => ({ expr: column(schema, index), name: `c${index}` })));
        const aggregates = calls(schema, types.length);
        const expected = oracle(rows, types.length);
        const single = new AggregateExec('Single', groupBy, aggregates, leaf(schema, [rows], arena));
        assert.deepEqual(shown(await rowsOfPlan(single, { settings }), types.length), expected);
        const partial = new AggregateExec('Partial', groupBy, aggregates, leaf(schema, deal(rows, 3), arena));
        const keys = finalGroupBy(groupBy);
        const repartitioned = new RepartitionExec(
          { kind: 'hash', exprs: keys.exprs.map(({ expr }) => expr), count: 2 },
          partial,
        );
        const final = new AggregateExec('FinalPartitioned', keys, aggregates, repartitioned);
        assert.deepEqual(shown(await rowsOfPlan(final, { settings }), types.length), expected);
        const reduced = new AggregateExec('PartialReduce', keys, aggregates, partial);
        const collected = new AggregateExec('Final', keys, aggregates, new CoalescePartitionsExec(reduced));
        assert.deepEqual(shown(await rowsOfPlan(collected, { settings }), types.length), expected);
      }
    }
  });
});

test('without keys there is one row, also over no rows', async () => {
  await withArenaAsync(async (arena) => {
    for (const settings of RUN_MODES) {
      for (const count of [0, 1, 100]) {
        const { schema, rows } = smallSums([], count, count);
        const aggregates = calls(schema, 0);
        const none = groupByColumns([]);
        const expected = [expectedCalls(rows, 0)];
        const single = new AggregateExec('Single', none, aggregates, leaf(schema, [rows], arena));
        assert.deepEqual(await rowsOfPlan(single, { settings }), expected);
        const partial = new AggregateExec('Partial', none, aggregates, leaf(schema, deal(rows, 3), arena));
        const final = new AggregateExec('Final', none, aggregates, new CoalescePartitionsExec(partial));
        assert.deepEqual(await rowsOfPlan(final, { settings }), expected);
      }
    }
  });
});

test('keys over no rows give no groups; DISTINCT is an aggregate without calls', async () => {
  await withArenaAsync(async (arena) => {
    const { schema, rows } = randomRows([1, 0], 100, 3);
    const groupBy = groupByColumns([0, 1].map((index) => ({ expr: column(schema, index), name: `c${index}` })));
    assert.deepEqual(await rowsOfPlan(new AggregateExec('Single', groupBy, [], leaf(schema, [[]], arena))), []);
    const found = await rowsOfPlan(new AggregateExec('Single', groupBy, [], leaf(schema, [rows], arena)));
    assert.deepEqual(found.map(groupKey), [...new Set(rows.map(groupKey))]);
    const limited = new AggregateExec('Single', groupBy, [], leaf(schema, [rows], arena), {
      limit: { count: 3, descending: null },
    });
    const some = await rowsOfPlan(limited);
    assert.ok(some.length >= 3);
    assert.ok(some.every((row) => rows.some((other) => groupKey(other) === groupKey(row))));
  });
});

test('grouping sets count each row once per set', async () => {
  await withArenaAsync(async (arena) => {
    const { schema, rows } = smallSums([1, 2], 80, 9);
    const exprs = [0, 1].map((index) => ({ expr: column(schema, index), name: `c${index}` }));
    const groupBy: PhysicalGroupBy = {
      exprs,
      nullExprs: exprs.map(({ expr, name }) => ({ expr: physicalLiteral(scalar(expr.type, null)), name })),
      groups: [
        [true, true],
        [false, true],
        [false, false],
      ],
    };
    const aggregates = calls(schema, 2);
    const plan = new AggregateExec('Partial', groupBy, aggregates, leaf(schema, deal(rows, 2), arena));
    const keys = finalGroupBy(groupBy);
    const final = new AggregateExec('Final', keys, aggregates, new CoalescePartitionsExec(plan));
    const expected = groupBy.groups.flatMap((set) => {
      const masked = rows.map(
        (row): Row => [
          set[0] === true ? null : row[0]!,
          set[1] === true ? null : row[1]!,
          (set[0] === true ? 2 : 0) + (set[1] === true ? 1 : 0),
          row[2]!,
          row[3]!,
        ],
      );
      return oracle(masked, 3);
    });
    assert.deepEqual(shown(await rowsOfPlan(final), 3), expected.sort());
  });
});
