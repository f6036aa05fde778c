import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOLEAN } from '../../../../src/columnar/data-type.js';
import type { Schema } from '../../../../src/columnar/schema.js';
import { type PhysicalExpr, physicalColumn } from '../../../../src/expr/physical-expr.js';
import type { JoinType } from '../../../../src/expr/join-type.js';
import { HashJoinExec } from '../../../../src/physical/operators/hash-join-exec.js';
import { JOIN_TYPES } from '../../../../src/physical/operators/join-schema.js';
import { type JoinFilter, joinFilterSchema } from '../../../../src/physical/operators/join-filter.js';
import { NestedLoopJoinExec } from '../../../../src/physical/operators/nested-loop-join-exec.js';
import { CrossJoinExec } from '../../../../src/physical/operators/cross-join-exec.js';
import { RepartitionExec } from '../../../../src/physical/operators/repartition-exec.js';
import type { Row, Value } from '../../../support/batches.js';
import { withArenaAsync } from '../../../support/batches.js';
import { compareValues, groupKey, randomRows } from '../../../support/random-rows.js';
import { deal, leaf, rowsOfPlan, RUN_MODES, runPlan } from '../../../support/run-plan.js';

/** The join by definition: every pair is tested. */
function oracle(
  left: readonly Row[],
  right: readonly Row[],
  widths: { left: number; right: number },
  joinType: JoinType,
  matches: (l: Row, r: Row) => boolean,
): Row[] {
  const nulls = (width: number): null[] => Array.from({ length: width }, () => null);
  const pairs = left.flatMap((l) => right.filter((r) => matches(l, r)).map((r): Row => [...l, ...r]));
  const hasRight = (l: Row): boolean => right.some((r) => matches(l, r));
  const hasLeft = (r: Row): boolean => left.some((l) => matches(l, r));
  const leftOnly = left.filter((l) => !hasRight(l)).map((l): Row => [...l, ...nulls(widths.right)]);
  const rightOnly = right.filter((r) => !hasLeft(r)).map((r): Row => [...nulls(widths.left), ...r]);
  switch (joinType) {
    case 'Inner':
      return pairs;
    case 'Left':
      return [...pairs, ...leftOnly];
    case 'Right':
      return [...pairs, ...rightOnly];
    case 'Full':
      return [...pairs, ...leftOnly, ...rightOnly];
    case 'LeftSemi':
      return left.filter(hasRight);
    case 'LeftAnti':
      return left.filter((l) => !hasRight(l));
    case 'LeftMark':
      return left.map((l) => [...l, hasRight(l)]);
    case 'RightSemi':
      return right.filter(hasLeft);
    case 'RightAnti':
      return right.filter((r) => !hasLeft(r));
    case 'RightMark':
      return right.map((r) => [...r, hasLeft(r)]);
  }
}

function sortedKeys(rows: readonly Row[]): string[] {
  return rows.map(groupKey).sort();
}

/** `left.c2 < right.c1` over columns of one type. */
function lessThan(left: Schema, right: Schema): JoinFilter {
  const columns = [
    { side: 'left', index: 2 },
    { side: 'right', index: 1 },
  ] as const;
  const schema = joinFilterSchema(columns, left, right);
  const expr: PhysicalExpr = {
    kind: 'binary',
    left: physicalColumn(schema, 0),
    op: '<',
    right: physicalColumn(schema, 1),
    type: BOOLEAN,
    nullable: true,
  };
  return { expr, columns, schema };
}

function less(l: Value | undefined, r: Value | undefined): boolean {
  return l !== null && l !== undefined && r !== null && r !== undefined && compareValues(l, r) < 0;
}

// Types by number, as in EDGE_VALUES: 0 Int64, 1 Utf8View, 2 Int32, 4 and 5 decimals, 3 Float64.
const KEYS = [0, 1, 3, 5];

for (const joinType of JOIN_TYPES) {
  test(`HashJoinExec ${joinType} equals the definition`, async () => {
    await withArenaAsync(async (arena) => {
      for (const [mode, settings] of RUN_MODES.entries()) {
        for (const key of KEYS) {
          for (const filtered of [false, true]) {
            const left = randomRows([key, 1, 2], 40, key + 1);
            const right = randomRows([key, 2], 50, key + 100);
            const nullEqualsNull = mode % 2 === 1;
            const filter = filtered ? lessThan(left.schema, right.schema) : null;
            const matches = (l: Row, r: Row): boolean => {
              if (!nullEqualsNull && (l[0] === null || r[0] === null)) return false;
              return groupKey([l[0]!]) === groupKey([r[0]!]) && (!filtered || less(l[2], r[1]));
            };
            const expected = oracle(left.rows, right.rows, { left: 3, right: 2 }, joinType, matches);
            const on = [[physicalColumn(left.schema, 0), physicalColumn(right.schema, 0)]] as const;
            const collected = new HashJoinExec(
              leaf(left.schema, [left.rows], arena),
              leaf(right.schema, deal(right.rows, 3), arena),
              on,
              joinType,
              'CollectLeft',
              { filter, nullEqualsNull },
            );
            const what = `${joinType} on type ${key}, mode ${mode}, ${filtered ? 'filtered' : 'plain'}`;
            assert.deepEqual(sortedKeys(await rowsOfPlan(collected, { settings })), sortedKeys(expected), what);
            const partitioned = new HashJoinExec(
              new RepartitionExec(
                { kind: 'hash', exprs: [on[0][0]], count: 3 },
                leaf(left.schema, deal(left.rows, 2), arena),
              ),
              new RepartitionExec(
                { kind: 'hash', exprs: [on[0][1]], count: 3 },
                leaf(right.schema, deal(right.rows, 4), arena),
              ),
              on,
              joinType,
              'Partitioned',
              { filter, nullEqualsNull },
            );
            assert.deepEqual(sortedKeys(await rowsOfPlan(partitioned, { settings })), sortedKeys(expected), what);
          }
        }
      }
    });
  });

  test(`NestedLoopJoinExec ${joinType} equals the definition`, async () => {
    await withArenaAsync(async (arena) => {
      for (const settings of RUN_MODES) {
        for (const [leftCount, rightCount] of [
          [5, 60],
          [60, 5],
          [0, 10],
          [10, 0],
        ] as const) {
          for (const filtered of [false, true]) {
            const left = randomRows([0, 1, 2], leftCount, leftCount + 1);
            const right = randomRows([1, 2], rightCount, rightCount + 2);
            const filter = filtered ? lessThan(left.schema, right.schema) : null;
            const plan = new NestedLoopJoinExec(
              leaf(left.schema, [left.rows], arena, { batchRows: 4 }),
              leaf(right.schema, deal(right.rows, 2), arena, { batchRows: 6 }),
              joinType,
              filter,
            );
            const expected = oracle(left.rows, right.rows, { left: 3, right: 2 }, joinType, (l, r) =>
              filtered ? less(l[2], r[1]) : true,
            );
            assert.deepEqual(sortedKeys(await rowsOfPlan(plan, { settings })), sortedKeys(expected), joinType);
          }
        }
      }
    });
  });

  test(`HashJoinExec ${joinType} with an empty side`, async () => {
    await withArenaAsync(async (arena) => {
      const some = randomRows([0, 1], 20, 3);
      const none = { schema: some.schema, rows: [] };
      for (const [left, right] of [
        [some, none],
        [none, some],
        [none, none],
      ] as const) {
        const plan = new HashJoinExec(
          leaf(left.schema, [left.rows], arena),
          leaf(right.schema, deal(right.rows, 2), arena),
          [[physicalColumn(left.schema, 0), physicalColumn(right.schema, 0)]],
          joinType,
          'CollectLeft',
        );
        const expected = oracle(left.rows, right.rows, { left: 2, right: 2 }, joinType, () => false);
        assert.deepEqual(sortedKeys(await rowsOfPlan(plan)), sortedKeys(expected));
      }
    });
  });
}

test('right order survives where the join promises it, with and without a filter', async () => {
  await withArenaAsync(async (arena) => {
    const left = randomRows([0, 1, 2], 60, 1);
    const right = randomRows([0, 2], 80, 2);
    for (const joinType of ['Inner', 'Right', 'RightSemi', 'RightAnti', 'RightMark'] as const) {
      for (const filtered of [false, true]) {
        for (const settings of RUN_MODES) {
          const plan = new HashJoinExec(
            leaf(left.schema, [left.rows], arena),
            leaf(right.schema, [right.rows], arena),
            [[physicalColumn(left.schema, 0), physicalColumn(right.schema, 0)]],
            joinType,
            'CollectLeft',
            { filter: filtered ? lessThan(left.schema, right.schema) : null },
          );
          const rows = await rowsOfPlan(plan, { settings });
          const tails = rows.map((row) =>
            groupKey(
              joinType.startsWith('RightS')
                ? row
                : row.slice(
                    joinType === 'RightAnti' ? 0 : joinType === 'RightMark' ? 0 : 3,
                    joinType === 'RightMark' ? 2 : undefined,
                  ),
            ),
          );
          const order = right.rows.map(groupKey);
          let at = 0;
          for (const tail of tails) {
            while (at < order.length && order[at] !== tail) at++;
            assert.ok(at < order.length, `${joinType}: a row out of right order`);
          }
        }
      }
    }
  });
});

test('NOT IN: nulls on either side', async () => {
  await withArenaAsync(async (arena) => {
    const { schema } = randomRows([0], 1, 1);
    const run = async (left: Row[], right: Row[]): Promise<Value[][]> => {
      const plan = new HashJoinExec(
        leaf(schema, [left], arena),
        leaf(schema, deal(right, 2), arena),
        [[physicalColumn(schema, 0), physicalColumn(schema, 0)]],
        'LeftAnti',
        'CollectLeft',
        { nullAware: true },
      );
      return await rowsOfPlan(plan);
    };
    assert.deepEqual(await run([[1n], [2n], [null]], [[1n], [3n]]), [[2n]]);
    assert.deepEqual(await run([[1n], [2n], [null]], [[1n], [null]]), []);
    assert.deepEqual(await run([[1n], [2n], [null]], []), [[1n], [2n], [null]]);
    assert.deepEqual(await run([], [[null]]), []);
  });
});

test('projection picks and reorders; fetch stops', async () => {
  await withArenaAsync(async (arena) => {
    const left = randomRows([0, 1], 30, 5);
    const right = randomRows([0, 2], 30, 6);
    const on = [[physicalColumn(left.schema, 0), physicalColumn(right.schema, 0)]] as const;
    const make = (options: { projection?: number[]; fetch?: number }): HashJoinExec =>
      new HashJoinExec(
        leaf(left.schema, [left.rows], arena),
        leaf(right.schema, [right.rows], arena),
        on,
        'Left',
        'CollectLeft',
        options,
      );
    const all = await rowsOfPlan(make({}));
    const picked = await rowsOfPlan(make({ projection: [3, 0] }));
    assert.deepEqual(
      picked.map(groupKey),
      all.map((row) => groupKey([row[3]!, row[0]!])),
    );
    const limited = await rowsOfPlan(make({ fetch: 5 }));
    assert.deepEqual(limited.map(groupKey), all.slice(0, 5).map(groupKey));
  });
});

test('CrossJoinExec gives every pair once', async () => {
  await withArenaAsync(async (arena) => {
    for (const settings of RUN_MODES) {
      for (const [l, r] of [
        [3, 40],
        [40, 3],
        [0, 5],
        [5, 0],
        [1, 1],
      ] as const) {
        const left = randomRows([0, 1], l, 1);
        const right = randomRows([2], r, 2);
        const plan = new CrossJoinExec(
          leaf(left.schema, [left.rows], arena),
          leaf(right.schema, deal(right.rows, 2), arena),
        );
        const expected = left.rows.flatMap((a) => right.rows.map((b): Row => [...a, ...b]));
        assert.deepEqual(sortedKeys((await runPlan(plan, { settings })).flat()), sortedKeys(expected));
      }
    }
  });
});
