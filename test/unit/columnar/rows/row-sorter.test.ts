import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../../src/columnar/arena.js';
import { compact } from '../../../../src/columnar/flatten.js';
import { heap } from '../../../../src/columnar/heap.js';
import { MemoryPool } from '../../../../src/columnar/memory-pool.js';
import { RecordBatch } from '../../../../src/columnar/record-batch.js';
import { RowSorter, type RowSortKey } from '../../../../src/columnar/rows/row-sorter.js';
import type { Schema } from '../../../../src/columnar/schema.js';
import {
  batch,
  random,
  type Representation,
  type Row,
  rowsOf,
  type Value,
  withArena,
} from '../../../support/batches.js';
import { compareValues, EDGE_VALUES, groupKey, randomRows } from '../../../support/random-rows.js';

const REPRESENTATIONS: readonly Representation[] = ['flat', 'dictionary', 'selected'];

function comparator(keys: readonly RowSortKey[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, descending, nullsFirst } of keys) {
      const x = a[column] as Value;
      const y = b[column] as Value;
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

function sorted(
  schema: Schema,
  rows: readonly Row[],
  keys: readonly RowSortKey[],
  { fetch, batchRows }: { fetch?: number; batchRows: number },
): Value[][] {
  const pool = new MemoryPool(2 ** 30);
  const sorter = new RowSorter(schema.fields, keys, {
    ...(fetch === undefined ? {} : { fetch }),
    consumer: pool.register('sort'),
  });
  for (let start = 0, step = 0; start < rows.length; start += batchRows, step++) {
    const input = new Arena();
    const part = rows.slice(start, start + batchRows);
    const dense = compact(batch(schema, part, input, REPRESENTATIONS[step % 3]), input);
    sorter.append(dense.columns, part.length);
    input.free();
  }
  sorter.finish();
  const found: Value[][] = [];
  withArena((arena) => {
    while (true) {
      const { rows: addresses, count } = sorter.next(1000, arena);
      if (count === 0) break;
      const columns = schema.fields.map((_, index) => sorter.column(index, addresses, count, arena));
      found.push(...rowsOf(new RecordBatch(schema, columns, count)));
    }
  });
  sorter.free();
  assert.deepEqual(pool.holders(), []);
  return found;
}

test('sorts equal the oracle for every type, direction and null order; equal rows keep their order', () => {
  heap.configure({ poison: true });
  const next = random(8);
  for (let type = 0; type < EDGE_VALUES.length; type++) {
    for (let variant = 0; variant < 8; variant++) {
      const { schema, rows } = randomRows([type, type + 7, 0, 1], 300, type * 8 + variant);
      const keys: RowSortKey[] = [
        { column: 0, descending: (variant & 1) === 1, nullsFirst: (variant & 2) === 2 },
        { column: 1, descending: (variant & 4) === 4, nullsFirst: next() < 0.5 },
      ].slice(0, 1 + (variant % 2));
      const expected = rows.map((row, index) => ({ row, index }));
      const compare = comparator(keys);
      expected.sort((a, b) => compare(a.row, b.row) || a.index - b.index);
      const found = sorted(schema, rows, keys, { batchRows: 64 });
      assert.deepEqual(
        found.map(groupKey),
        expected.map(({ row }) => groupKey(row)),
      );
      for (const fetch of [0, 1, 10, 299, 1000]) {
        const first = sorted(schema, rows, keys, { fetch, batchRows: 64 });
        assert.deepEqual(
          first.map(groupKey),
          expected.slice(0, fetch).map(({ row }) => groupKey(row)),
        );
      }
    }
  }
});

test('runs are merged and TopK cuts, at sizes that need both', () => {
  const next = random(4);
  const { schema } = randomRows([0, 1], 1, 1, { nulls: false });
  const rows: Row[] = Array.from({ length: 150_000 }, (_, i) => [BigInt(Math.floor(next() * 50_000)), `row ${i}`]);
  const keys: RowSortKey[] = [{ column: 0, descending: true, nullsFirst: true }];
  const expected = rows.map((row, index) => ({ row, index }));
  const compare = comparator(keys);
  expected.sort((a, b) => compare(a.row, b.row) || a.index - b.index);
  const all = sorted(schema, rows, keys, { batchRows: 8192 });
  assert.deepEqual(
    all.map(groupKey),
    expected.map(({ row }) => groupKey(row)),
  );
  for (const fetch of [1, 100, 20_000]) {
    const first = sorted(schema, rows, keys, { fetch, batchRows: 8192 });
    assert.deepEqual(
      first.map(groupKey),
      expected.slice(0, fetch).map(({ row }) => groupKey(row)),
    );
  }
});

test('a TopK tells its bound as soon as it is full, each time it moves, and only then', () => {
  const { schema } = randomRows([0], 1, 1, { nulls: false });
  const append = (sorter: RowSorter, values: readonly (bigint | null)[]): void => {
    const arena = new Arena();
    sorter.append(
      batch(
        schema,
        values.map((value) => [value]),
        arena,
      ).columns,
      values.length,
    );
    arena.free();
  };
  const sorter = new RowSorter(schema.fields, [{ column: 0, descending: true, nullsFirst: false }], { fetch: 3 });
  append(sorter, [5n, 9n]);
  assert.equal(sorter.takeBound(), null);
  append(sorter, [1n]);
  assert.deepEqual(sorter.takeBound(), [1n]);
  append(sorter, [0n, 1n]);
  assert.equal(sorter.takeBound(), null);
  append(sorter, [7n, 8n, 2n]);
  assert.deepEqual(sorter.takeBound(), [7n]);
  assert.equal(sorter.takeBound(), null);
  sorter.free();
});

test('TopK over rows that never enter holds little', () => {
  const pool = new MemoryPool(4 * 2 ** 20);
  const { schema } = randomRows([0, 1], 1, 1, { nulls: false });
  const sorter = new RowSorter(schema.fields, [{ column: 0, descending: false, nullsFirst: false }], {
    fetch: 10,
    consumer: pool.register('TopK'),
  });
  for (let step = 0; step < 100; step++) {
    withArena((arena) => {
      const rows: Row[] = Array.from({ length: 1000 }, (_, i) => [BigInt(step * 1000 + i), 'x'.repeat(200)]);
      sorter.append(batch(schema, rows, arena).columns, 1000);
    });
  }
  sorter.finish();
  assert.equal(sorter.numRows >= 10, true);
  sorter.free();
  assert.equal(pool.usedBytes, 0);
});
