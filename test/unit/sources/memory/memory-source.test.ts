import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, INT64, UTF8_VIEW } from '../../../../src/columnar/data-type.js';
import { Schema } from '../../../../src/columnar/schema.js';
import { valueAt } from '../../../../src/columnar/value-at.js';
import { ExprCodecImpl } from '../../../../src/expr/physical-expr-codec.js';
import { memorySourceCodec } from '../../../../src/sources/memory/memory-source-codec.js';
import { MemorySource } from '../../../../src/sources/memory/memory-source.js';
import { scanContext } from '../../../support/scan-context.js';

const schema = new Schema([field('column1', INT64), field('column2', UTF8_VIEW)]);
const source = MemorySource.fromRows(schema, [
  [1n, 'a'],
  [2n, null],
  [null, 'xyz'],
]);
const codec = new ExprCodecImpl({
  scalar: () => undefined,
  aggregate: () => undefined,
  window: () => undefined,
  names: () => [],
});

async function rows(scan: MemorySource, batchSize: number): Promise<unknown[][]> {
  const context = scanContext({ batchSize });
  const found: unknown[][] = [];
  for await (const batch of scan.open(0, context)) {
    assert.ok(batch.numRows <= batchSize);
    for (let row = 0; row < batch.numRows; row++) found.push(batch.columns.map((column) => valueAt(column, row)));
  }
  assert.equal(context.memory.usedBytes, 0);
  return found;
}

test('gives its rows at every batch size, and no more than its fetch', async () => {
  const all = [
    [1n, 'a'],
    [2n, null],
    [null, 'xyz'],
  ];
  for (const batchSize of [1, 2, 8192]) assert.deepEqual(await rows(source, batchSize), all);
  assert.deepEqual(await rows(source.withFetch(2), 1), all.slice(0, 2));
  assert.deepEqual(
    await rows(source.withProjection([1]), 2),
    all.map(([, text]) => [text]),
  );
});

test('prints as DataFusion prints VALUES', () => {
  assert.equal(source.describe(), 'partitions=1, partition_sizes=[1]');
  assert.equal(source.withFetch(1).describe(), 'partitions=1, partition_sizes=[1], fetch=1');
  const { numRows, totalByteSize, columns } = source.statistics();
  assert.deepEqual(numRows, { kind: 'exact', value: 3 });
  assert.equal(totalByteSize.kind, 'exact');
  assert.deepEqual(
    columns.map((column) => column.nullCount),
    [
      { kind: 'exact', value: 1 },
      { kind: 'exact', value: 1 },
    ],
  );
});

test('travels', async () => {
  const decoded = memorySourceCodec.decode(source.withFetch(2).encode(codec), codec);
  assert.ok(decoded instanceof MemorySource);
  assert.equal(decoded.describe(), 'partitions=1, partition_sizes=[1], fetch=2');
  assert.ok(decoded.schema.equals(schema));
  assert.deepEqual(await rows(decoded, 8), [
    [1n, 'a'],
    [2n, null],
  ]);
});
