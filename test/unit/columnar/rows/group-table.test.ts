import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../../src/columnar/arena.js';
import { Column } from '../../../../src/columnar/column.js';
import { INT64, UTF8_VIEW } from '../../../../src/columnar/data-type.js';
import { compact } from '../../../../src/columnar/flatten.js';
import { columnFromValues } from '../../../../src/columnar/from-values.js';
import { heap } from '../../../../src/columnar/heap.js';
import { MemoryPool } from '../../../../src/columnar/memory-pool.js';
import { RecordBatch } from '../../../../src/columnar/record-batch.js';
import { GroupTable } from '../../../../src/columnar/rows/group-table.js';
import { RowStore } from '../../../../src/columnar/rows/row-store.js';
import { batch, type Representation, rowsOf, withArena } from '../../../support/batches.js';
import { EDGE_VALUES, groupKey, randomRows } from '../../../support/random-rows.js';

/** All keys of the table in order, and the row addresses. */
function contents(table: GroupTable, source: RecordBatch): { keys: string[]; rows: number[] } {
  return withArena((arena) => {
    const keys: string[] = [];
    const addresses: number[] = [];
    for (const chunk of table.chunks()) {
      const rows = RowStore.addresses(chunk, table.layout.width, 0, chunk.count, arena);
      const columns = source.columns.map((_, index) => table.keyColumn(index, rows, chunk.count, arena));
      const made = new RecordBatch(source.schema, columns, chunk.count);
      keys.push(...rowsOf(made).map(groupKey));
      addresses.push(...heap.u32.subarray(rows >>> 2, (rows >>> 2) + chunk.count));
    }
    return { keys, rows: addresses };
  });
}

const REPRESENTATIONS: readonly Representation[] = ['flat', 'dictionary', 'selected'];

test('groups equal the oracle, for every type, representation and mixture', () => {
  heap.configure({ poison: true });
  const pool = new MemoryPool(2 ** 30);
  for (let type = 0; type < EDGE_VALUES.length; type++) {
    for (const types of [[type], [type, type + 1], [type, type + 5, type + 11, 1]]) {
      const { schema, rows } = randomRows(types, 700, type);
      const table = new GroupTable(schema.fields, 8, pool.register('t'));
      const expected = new Map<string, number>();
      let source: RecordBatch | undefined;
      for (let start = 0, step = 0; start < rows.length; start += 100, step++) {
        const part = rows.slice(start, start + 100);
        const input = new Arena();
        const scratch = new Arena();
        source = batch(schema, part, input, REPRESENTATIONS[step % 3]);
        const dense = compact(source, scratch);
        const groups = table.groups(dense.columns, part.length, scratch);
        for (const [i, row] of part.entries()) {
          const key = groupKey(row);
          const group = heap.u32[(groups >>> 2) + i]!;
          assert.equal(expected.get(key) ?? group, group, key);
          if (!expected.has(key)) assert.equal(heap.u64[(group + table.stateOffset) >>> 3], 0n, 'state starts as zero');
          expected.set(key, group);
          heap.u64[(group + table.stateOffset) >>> 3] = 77n;
        }
        input.free();
        scratch.free();
      }
      assert.equal(table.numGroups, expected.size);
      const { keys, rows: addresses } = contents(table, source!);
      assert.deepEqual(keys, [...expected.keys()], 'order of appearance');
      assert.deepEqual(addresses, [...expected.values()]);
      table.free();
    }
  }
  assert.deepEqual(pool.holders(), []);
  assert.equal(heap.usedBytes, 0);
});

test('a table grows through many pieces', () => {
  const pool = new MemoryPool(2 ** 30);
  const table = new GroupTable([{ type: INT64, nullable: false }], 8, pool.register('t'));
  const count = 400_000;
  const scratch = new Arena();
  const seen = new Set<number>();
  for (let round = 0; round < 2; round++) {
    for (let start = 0; start < count; start += 10_000) {
      scratch.reset();
      const values = scratch.alloc(80_000);
      for (let i = 0; i < 10_000; i++) heap.i64[(values >>> 3) + i] = BigInt((start + i) * 3);
      const groups = table.groups([Column.flat(INT64, 'i64', 10_000, values)], 10_000, scratch);
      for (let i = 0; i < 10_000; i++) seen.add(heap.u32[(groups >>> 2) + i]!);
    }
    assert.equal(table.numGroups, count);
    assert.equal(seen.size, count);
  }
  scratch.free();
  table.free();
  assert.deepEqual(pool.holders(), []);
});

test('dictionaries that replace one another do not share codes', () => {
  withArena((arena) => {
    const { schema } = randomRows([1], 1, 1);
    const table = new GroupTable(schema.fields, 0);
    for (let round = 0; round < 20; round++) {
      const rows = Array.from({ length: 50 }, (_, i) => [`${(round + i) % 7}`]);
      const source = batch(schema, rows, arena, 'dictionary');
      table.groups(source.columns, 50, arena);
      assert.equal(table.numGroups, 7);
    }
    table.free();
  });
});

test('no keys make one group; a refused budget leaves nothing behind', () => {
  withArena((arena) => {
    const table = new GroupTable([], 16);
    const groups = table.groups([], 5, arena);
    assert.equal(new Set(heap.u32.subarray(groups >>> 2, (groups >>> 2) + 5)).size, 1);
    assert.equal(table.numGroups, 1);
    table.free();
    const pool = new MemoryPool(200_000);
    const small = new GroupTable([{ type: UTF8_VIEW, nullable: false }], 8, pool.register('AggregateExec'));
    const column = columnFromValues(
      UTF8_VIEW,
      Array.from({ length: 20_000 }, (_, i) => `some key ${i}`),
      arena,
    );
    assert.throws(() => small.groups([column], 20_000, arena), /memory budget/);
    small.free();
    assert.equal(pool.usedBytes, 0);
  });
});
