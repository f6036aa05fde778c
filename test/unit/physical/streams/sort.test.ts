import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PhysicalSortExpr } from '../../../../src/expr/physical-expr.js';
import { physicalColumn } from '../../../../src/expr/physical-expr.js';
import { SortExec } from '../../../../src/physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../../../src/physical/operators/sort-preserving-merge-exec.js';
import type { Schema } from '../../../../src/columnar/schema.js';
import { random, type Row, withArenaAsync } from '../../../support/batches.js';
import { compareValues, groupKey, randomRows } from '../../../support/random-rows.js';
import { deal, leaf, rowsOfPlan, RUN_MODES, runPlan } from '../../../support/run-plan.js';

interface Key {
  readonly column: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

function sortExprs(schema: Schema, keys: readonly Key[]): PhysicalSortExpr[] {
  return keys.map(({ column, descending, nullsFirst }) => ({
    expr: physicalColumn(schema, column),
    descending,
    nullsFirst,
  }));
}

function compareBy(keys: readonly Key[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, descending, nullsFirst } of keys) {
      const x = a[column] ?? null;
      const y = b[column] ?? null;
      if (x === null || y === null) {
        if (x === y) continue;
        return (x === null) === nullsFirst ? -1 : 1;
      }
      const order = compareValues(x, y);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

const KEY_SETS: readonly (readonly Key[])[] = [
  [{ column: 0, descending: false, nullsFirst: false }],
  [
    { column: 1, descending: true, nullsFirst: true },
    { column: 0, descending: false, nullsFirst: true },
  ],
  [
    { column: 2, descending: false, nullsFirst: true },
    { column: 1, descending: false, nullsFirst: false },
  ],
];

test('sorts per partition and merged equal the oracle, with and without fetch', async () => {
  await withArenaAsync(async (arena) => {
    for (const settings of RUN_MODES) {
      for (const [variant, keys] of KEY_SETS.entries()) {
        const { schema, rows } = randomRows([0, 1, 3, 5], 120, variant);
        const exprs = sortExprs(schema, keys);
        const parts = deal(rows, 3);
        const compare = compareBy(keys);
        const one = await rowsOfPlan(new SortExec(exprs, leaf(schema, [rows], arena)), { settings });
        assert.deepEqual(one.map(groupKey), [...rows].sort(compare).map(groupKey));
        const each = await runPlan(new SortExec(exprs, leaf(schema, parts, arena), { preservePartitioning: true }), {
          settings,
        });
        for (const [partition, found] of each.entries()) {
          assert.deepEqual(found.map(groupKey), [...parts[partition]!].sort(compare).map(groupKey));
        }
        for (const fetch of [null, 0, 1, 7, 500]) {
          const plan = new SortPreservingMergeExec(
            exprs,
            new SortExec(exprs, leaf(schema, parts, arena), { preservePartitioning: true, fetch }),
            fetch,
          );
          const found = await rowsOfPlan(plan, { settings });
          // Ties go to the lower partition.
          const expected = parts
            .flat()
            .sort(compare)
            .slice(0, fetch ?? undefined);
          assert.deepEqual(found.map(groupKey), expected.map(groupKey), `fetch ${fetch}`);
        }
      }
    }
  });
});

test('a merge of inputs of very different lengths, some empty, copies what it passes on', async () => {
  await withArenaAsync(async (arena) => {
    const next = random(2);
    const { schema } = randomRows([0, 1], 1, 1, { nulls: false });
    const make = (count: number): Row[] =>
      Array.from({ length: count }, (): Row => [BigInt(Math.floor(next() * 1000)), `text ${Math.floor(next() * 99)}`]);
    const keys: Key[] = [{ column: 0, descending: false, nullsFirst: false }];
    const compare = compareBy(keys);
    const parts = [make(500), [], make(3), make(1), make(90), []].map((rows) => rows.sort(compare));
    for (const settings of RUN_MODES) {
      const plan = new SortPreservingMergeExec(sortExprs(schema, keys), leaf(schema, parts, arena, { batchRows: 7 }));
      const found = await rowsOfPlan(plan, { settings });
      assert.deepEqual(found.map(groupKey), parts.flat().sort(compare).map(groupKey));
    }
    assert.deepEqual(
      await rowsOfPlan(new SortPreservingMergeExec(sortExprs(schema, keys), leaf(schema, [[], []], arena))),
      [],
    );
  });
});

test('a sort key that is computed', async () => {
  await withArenaAsync(async (arena) => {
    const { schema, rows } = randomRows([2, 1], 50, 3, { nulls: false });
    const expr = {
      kind: 'negative',
      expr: physicalColumn(schema, 0),
      type: schema.field(0).type,
      nullable: true,
    } as const;
    const safe = rows.filter(([value]) => value !== -2147483648);
    const plan = new SortExec([{ expr, descending: false, nullsFirst: false }], leaf(schema, [safe], arena));
    const found = await rowsOfPlan(plan);
    const expected = [...safe].sort((a, b) => Number(b[0]) - Number(a[0]));
    assert.deepEqual(found.map(groupKey), expected.map(groupKey));
  });
});

test('a sort past its budget says so and leaves nothing', async () => {
  await withArenaAsync(async (arena) => {
    const { schema } = randomRows([0, 1], 1, 1);
    const rows = Array.from({ length: 3000 }, (_, i): Row => [BigInt(i), 'x'.repeat(500)]);
    const keys: Key[] = [{ column: 0, descending: true, nullsFirst: true }];
    const plan = new SortExec(sortExprs(schema, keys), leaf(schema, [rows], arena, { batchRows: 500 }));
    await assert.rejects(rowsOfPlan(plan, { limitBytes: 2 ** 20 }), /memory budget .* SortExec/);
  });
});
