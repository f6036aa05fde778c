import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../src/columnar/arena.js';
import { BatchBuilder, MAX_BATCH_BYTES } from '../../../src/columnar/batch-builder.js';
import { decimal } from '../../../src/columnar/data-type.js';
import { columnFromValues } from '../../../src/columnar/from-values.js';
import { heap } from '../../../src/columnar/heap.js';
import { RecordBatch } from '../../../src/columnar/record-batch.js';
import { Schema } from '../../../src/columnar/schema.js';
import { batch, type Representation, type Row, rowsOf, type Value, withArena } from '../../support/batches.js';
import { EDGE_VALUES, groupKey, randomRows } from '../../support/random-rows.js';

const REPRESENTATIONS: readonly Representation[] = ['flat', 'dictionary', 'selected', 'constant'];

test('gathers any representation in pieces of any size', () => {
  heap.configure({ poison: true });
  for (const maxRows of [1, 3, 100, 1000]) {
    const types = EDGE_VALUES.map((_, index) => index);
    const { schema, rows } = randomRows(types, 400, maxRows);
    const arena = new Arena();
    const builder = new BatchBuilder(schema, maxRows, arena);
    const found: Value[][] = [];
    const flush = (): void => {
      found.push(...rowsOf(builder.take()));
      arena.reset();
      builder.clear();
    };
    const expected: Row[] = [];
    for (let start = 0, step = 0; start < rows.length; step++) {
      const size = [1, 7, 8, 9, 40][step % 5]!;
      const representation = REPRESENTATIONS[step % 4]!;
      let part: readonly Row[] = rows.slice(start, start + size);
      start += size;
      if (representation === 'constant') part = part.map(() => part[0]!);
      expected.push(...part);
      const input = new Arena();
      const source = batch(schema, part, input, representation);
      for (let from = 0; from < source.numRows; ) {
        if (builder.isFull) flush();
        from += builder.append(source, from, Math.min(source.numRows - from, 5));
        assert.ok(builder.numRows <= maxRows);
      }
      input.free();
    }
    flush();
    assert.deepEqual(found.map(groupKey), expected.map(groupKey));
    arena.free();
  }
});

test('a decimal column becomes wide when a wide batch comes, and takes narrow ones after', () => {
  withArena((arena) => {
    const type = decimal(38, 2);
    const schema = new Schema([{ name: 'd', type, nullable: true }]);
    const builder = new BatchBuilder(schema, 100, arena);
    const parts: [bigint | null, 'i64' | 'i128'][] = [
      [5n, 'i64'],
      [1n << 70n, 'i128'],
      [-1n, 'i64'],
      [null, 'i64'],
    ];
    for (const [value, layout] of parts) {
      const column = columnFromValues(type, [value], arena, layout);
      assert.equal(builder.append(new RecordBatch(schema, [column], 1)), 1);
    }
    assert.deepEqual(rowsOf(builder.take()), [[5n], [1n << 70n], [-1n], [null]]);
  });
});

test('a batch ends at 8 MiB of strings, but holds at least one row', () => {
  withArena((arena) => {
    const schema = new Schema([{ name: 's', type: EDGE_VALUES[1]![0], nullable: true }]);
    const rows: Row[] = Array.from({ length: 30 }, () => ['x'.repeat(2 ** 20)]);
    const source = batch(schema, rows, arena);
    const builder = new BatchBuilder(schema, 8192, arena);
    let sizes: number[] = [];
    for (let from = 0; from < 30; ) {
      const taken = builder.append(source, from);
      if (taken === 0) {
        sizes = [...sizes, builder.numRows];
        assert.ok(builder.bytes <= MAX_BATCH_BYTES);
        builder.clear();
      }
      from += taken;
    }
    assert.ok(sizes.length >= 3 && sizes.every((size) => size >= 1 && size <= 8));
    const giant = batch(schema, [['y'.repeat(20 * 2 ** 20)]], arena);
    builder.clear();
    assert.equal(builder.append(giant), 1);
    assert.equal(builder.isFull, true);
  });
});
