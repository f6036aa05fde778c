import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../../src/columnar/arena.js';
import { compact } from '../../../../src/columnar/flatten.js';
import { heap } from '../../../../src/columnar/heap.js';
import { MemoryPool } from '../../../../src/columnar/memory-pool.js';
import { RecordBatch } from '../../../../src/columnar/record-batch.js';
import { JoinTable } from '../../../../src/columnar/rows/join-table.js';
import { batch, type Representation, rowsOf, type Row, withArena } from '../../../support/batches.js';
import { EDGE_VALUES, groupKey, randomRows } from '../../../support/random-rows.js';

const REPRESENTATIONS: readonly Representation[] = ['flat', 'dictionary', 'selected'];

for (const nullEqualsNull of [false, true]) {
  test(`pairs equal the oracle for every key type, null ${nullEqualsNull ? '=' : '≠'} null`, () => {
    const pool = new MemoryPool(2 ** 30);
    for (let type = 0; type < EDGE_VALUES.length; type++) {
      for (const types of [[type], [type, 1], [type, type + 4, 0]]) {
        const build = randomRows([...types, 0, 1], 60, type);
        const probe = randomRows(types, 50, type + 1000);
        const keyFields = build.schema.fields.slice(0, types.length);
        const table = new JoinTable(
          keyFields,
          build.schema.fields,
          build.schema.fields.map((f, i) => (i < types.length && !f.type.kind.startsWith('Float') ? i : -1)),
          { nullEqualsNull, consumer: pool.register('build') },
        );
        for (let start = 0, step = 0; start < 60; start += 20, step++) {
          const input = new Arena();
          const dense = compact(
            batch(build.schema, build.rows.slice(start, start + 20), input, REPRESENTATIONS[step % 3]),
            input,
          );
          table.append(dense.columns.slice(0, types.length), dense.columns, 20);
          input.free();
        }
        for (const _ of table.finish()) assert.equal(_, undefined);
        assert.equal(table.numRows, 60);
        const expected: Row[] = probe.rows.flatMap((p) =>
          build.rows
            .filter((b) => {
              const keys = b.slice(0, types.length);
              if (!nullEqualsNull && [...p, ...keys].includes(null)) return false;
              return groupKey(p) === groupKey(keys);
            })
            .map((b) => [...p, ...b]),
        );
        for (const [representation, capacity] of [
          ['flat', 1],
          ['dictionary', 7],
          ['selected', 10_000],
        ] as const) {
          withArena((arena) => {
            const dense = compact(batch(probe.schema, probe.rows, arena, representation), arena);
            const { heads, matches } = table.probe(dense.columns, 50, arena);
            const found: Row[] = [];
            for (const pairs of table.pairs(heads, 50, capacity, arena)) {
              assert.ok(pairs.count <= capacity);
              const columns = build.schema.fields.map((_, i) =>
                table.payloadColumn(i, pairs.rows, pairs.count, arena, false),
              );
              const payload = rowsOf(new RecordBatch(build.schema, columns, pairs.count));
              for (let i = 0; i < pairs.count; i++) {
                found.push([...probe.rows[heap.u32[(pairs.positions >>> 2) + i]!]!, ...payload[i]!]);
              }
            }
            assert.deepEqual(found.map(groupKey), expected.map(groupKey), 'pairs in probe order, then build order');
            assert.equal(matches, new Set(heads === 0 ? [] : rowsWithHead(heads, 50)).size);
          });
        }
        table.free();
      }
    }
    assert.deepEqual(pool.holders(), []);
  });
}

function rowsWithHead(heads: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => i).filter((i) => heap.u32[(heads >>> 2) + i] !== 0);
}

test('visited rows are those whose chains were visited, over many chunks', () => {
  withArena((arena) => {
    const count = 50_000;
    const rows: Row[] = Array.from({ length: count }, (_, i) => [BigInt(i % 9_000)]);
    const { schema } = randomRows([0], 1, 1, { nulls: false });
    const table = new JoinTable(schema.fields, schema.fields, [0], { nullEqualsNull: false });
    for (let start = 0; start < count; start += 8192) {
      const part = rows.slice(start, start + 8192);
      const source = batch(schema, part, arena);
      table.append(source.columns, source.columns, part.length);
    }
    for (const step of table.finish()) assert.equal(step, undefined);
    const probe = batch(
      schema,
      Array.from({ length: 100 }, (_, i) => [BigInt(i * 90)]),
      arena,
    );
    const { heads, matches } = table.probe(probe.columns, 100, arena);
    assert.equal(matches, 100);
    table.visitChains(heads, 100);
    for (const visited of [true, false]) {
      let found = 0;
      for (const piece of table.visitedRows(visited, 1000, arena)) {
        const column = table.payloadColumn(0, piece.rows, piece.count, arena, false);
        for (const [value] of rowsOf(new RecordBatch(schema, [column], piece.count))) {
          assert.equal((value as bigint) % 90n === 0n, visited);
          found++;
        }
      }
      const expected = rows.filter(([value]) => ((value as bigint) % 90n === 0n) === visited).length;
      assert.equal(found, expected);
    }
    table.free();
  });
});
