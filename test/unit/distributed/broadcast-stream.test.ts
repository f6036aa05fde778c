/** One pump per input partition, every consumer all rows: engine rules 2.1, 2.3 and 2.8. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DistqError } from '../../../src/base/errors.js';
import { Arena } from '../../../src/columnar/arena.js';
import { field, INT32 } from '../../../src/columnar/data-type.js';
import { Schema } from '../../../src/columnar/schema.js';
import { BroadcastExec } from '../../../src/distributed/operators/broadcast-exec.js';
import type { RecordBatchStream } from '../../../src/physical/task-context.js';
import { batch, rowsOf } from '../../support/batches.js';
import { MockExec, type MockStep, type TestTask, testTask } from '../../support/mock-exec.js';

const schema = new Schema([field('a', INT32)]);
const arena = new Arena();

function ints(...values: number[]): MockStep {
  return batch(
    schema,
    values.map((value) => [value]),
    arena,
  );
}

async function rows(stream: RecordBatchStream): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const out of stream) found.push(...rowsOf(out).map((row) => row[0]));
  return found;
}

/** The task is over: whatever its streams shared is freed. */
function ended({ context, pool }: TestTask): void {
  context.close();
  assert.deepEqual(pool.holders(), []);
  assert.equal(pool.usedBytes, 0);
}

const input = (): MockExec =>
  new MockExec(schema, [
    [ints(1, 2), ints(), ints(3)],
    [ints(10), ints(11, 12)],
  ]);

describe('a broadcast', () => {
  for (const settings of [
    {},
    { 'debug.poison': 'true', 'debug.interleave': '7' },
    { 'debug.windows': 'tiny', 'debug.interleave': '3' },
  ]) {
    test(`gives every consumer all rows and reads each input once ${JSON.stringify(settings)}`, async () => {
      const task = testTask({ settings });
      const source = input();
      const node = new BroadcastExec(source, 3);
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, partition) => rows(task.context.execute(node, partition))),
      );
      for (const consumer of [0, 1, 2]) {
        assert.deepEqual(all[consumer * 2], [1, 2, 3]);
        assert.deepEqual(all[consumer * 2 + 1], [10, 11, 12]);
      }
      assert.equal(source.log.started, 2);
      assert.equal(source.log.closed, 2);
      ended(task);
    });
  }

  test('a consumer that comes late starts from the first row', async () => {
    const task = testTask();
    const node = new BroadcastExec(input(), 2);
    assert.deepEqual(await rows(task.context.execute(node, 0)), [1, 2, 3]);
    assert.deepEqual(await rows(task.context.execute(node, 2)), [1, 2, 3]);
    ended(task);
  });

  test('T17: the consumer that started the pump leaves, the others go on', async () => {
    const task = testTask({ settings: { 'debug.windows': 'tiny' } });
    const node = new BroadcastExec(new MockExec(schema, [[ints(1), ints(2), ints(3), ints(4)]]), 4);
    const first = task.context.execute(node, 0);
    await first.next();
    const others = [1, 2, 3].map((partition) => rows(task.context.execute(node, partition)));
    await first.return();
    assert.deepEqual(await Promise.all(others), [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    ended(task);
  });

  test('is closed when its last consumer is gone, in the middle of a wait too', async () => {
    const task = testTask();
    const source = new MockExec(schema, [[ints(1), 'block']]);
    const node = new BroadcastExec(source, 2);
    const streams = [0, 1].map((partition) => task.context.execute(node, partition));
    for (const stream of streams) await stream.next();
    const pending = streams[0]?.next();
    await streams[0]?.return();
    await streams[1]?.return();
    assert.deepEqual(await pending, { done: true, value: undefined });
    await task.scope.drained();
    assert.equal(source.log.closed, 1);
    ended(task);
  });

  test('tells every consumer of a failure, after the rows before it', async () => {
    const task = testTask();
    const broken = new DistqError('data_source', 'the file is broken');
    const node = new BroadcastExec(new MockExec(schema, [[ints(1), broken]]), 2);
    for (const partition of [0, 1]) {
      const stream = task.context.execute(node, partition);
      const first = await stream.next();
      assert.ok(first.done !== true);
      assert.deepEqual(rowsOf(first.value), [[1]]);
      await assert.rejects(stream.next(), broken);
    }
    ended(task);
  });

  test('a consumer that nobody opens does not hold the others up', async () => {
    const many = Array.from({ length: 200 }, (_, i) => ints(...Array.from({ length: 50 }, (__, j) => i * 50 + j)));
    const task = testTask({ settings: { 'debug.windows': 'tiny' } });
    const node = new BroadcastExec(new MockExec(schema, [many]), 2);
    const found = await rows(task.context.execute(node, 1));
    assert.equal(found.length, 10_000);
    ended(task);
  });

  test('a slow consumer holds back a fast one that is not starving', async () => {
    const big = Array.from({ length: 40 }, (_, i) =>
      batch(
        schema,
        Array.from({ length: 5_000 }, () => [i]),
        arena,
      ),
    );
    const source = new MockExec(schema, [big]);
    const task = testTask({ settings: { 'debug.windows': 'tiny' } });
    const node = new BroadcastExec(source, 2);
    const [slow, fast] = [0, 1].map((partition) => task.context.execute(node, partition));
    assert.ok(slow !== undefined && fast !== undefined);
    await Promise.all([slow.next(), fast.next()]);
    // Both have a batch and nobody asks for more: the pump may fill the windows, not read everything.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(source.log.pulls < 10, `${source.log.pulls} batches were read ahead`);
    await Promise.all([slow.return(), fast.return()]);
    ended(task);
  });

  test('names itself when the memory budget is used up', async () => {
    const task = testTask({ limitBytes: 64 * 1024 });
    const big = batch(
      schema,
      Array.from({ length: 50_000 }, (_, i) => [i]),
      arena,
    );
    const stream = task.context.execute(new BroadcastExec(new MockExec(schema, [[big]]), 2), 0);
    await assert.rejects(stream.next(), { kind: 'resources_exhausted', message: /BroadcastExec in the head stage/ });
    ended(task);
  });

  test('a partition is read once', async () => {
    const task = testTask();
    const node = new BroadcastExec(input(), 1);
    await rows(task.context.execute(node, 0));
    await assert.rejects(rows(task.context.execute(node, 0)), { kind: 'internal' });
    ended(task);
  });
});
