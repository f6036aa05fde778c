import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { Arena } from '../../../../src/columnar/arena.js';
import { field, INT32 } from '../../../../src/columnar/data-type.js';
import { Schema } from '../../../../src/columnar/schema.js';
import { CoalescePartitionsExec } from '../../../../src/physical/operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../../../../src/physical/operators/global-limit-exec.js';
import type { ExecutionPlan } from '../../../../src/physical/execution-plan.js';
import { batch, rowsOf } from '../../../support/batches.js';
import { MockExec, type MockStep, testTask } from '../../../support/mock-exec.js';

const schema = new Schema([field('a', INT32)]);
const arena = new Arena();

function ints(...values: (number | null)[]): MockStep {
  return batch(
    schema,
    values.map((value) => [value]),
    arena,
  );
}

async function run(plan: ExecutionPlan, settings: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  const { context, pool } = testTask({ settings });
  const rows: unknown[] = [];
  for await (const out of context.execute(plan, 0)) rows.push(...rowsOf(out).map((row) => row[0]));
  assert.deepEqual(pool.holders(), []);
  assert.equal(pool.usedBytes, 0);
  return rows;
}

test('a limit cuts inside, between and past batches, with nulls and odd starts', async () => {
  const steps = [ints(0, null, 2, 3, 4, 5, 6, 7, 8, 9), ints(10, 11), ints(12)];
  const all = [0, null, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  for (let skip = 0; skip <= 14; skip++) {
    for (const fetch of [0, 1, 2, 3, 8, 12, 13, 20, null]) {
      for (const settings of [{}, { 'debug.poison': 'true' }]) {
        const plan = new GlobalLimitExec(new MockExec(schema, [steps]), skip, fetch);
        const expected = all.slice(skip, fetch === null ? undefined : skip + fetch);
        assert.deepEqual(await run(plan, settings), expected, `skip ${skip}, fetch ${fetch}`);
      }
    }
  }
});

test('a limit stops reading its input as soon as it has its rows', async () => {
  const input = new MockExec(schema, [[ints(1, 2), ints(3), ints(4), 'block']]);
  assert.deepEqual(await run(new GlobalLimitExec(input, 1, 2)), [2, 3]);
  assert.deepEqual(input.log, { started: 1, pulls: 2, closed: 1 });
});

test('a merge gives every row of every partition, in any interleaving', async () => {
  const partitions = Array.from({ length: 5 }, (_, p) => Array.from({ length: 4 }, (__, b) => ints(p * 10 + b)));
  const expected = Array.from({ length: 5 }, (_, p) => Array.from({ length: 4 }, (__, b) => p * 10 + b)).flat();
  for (const seed of ['0', '1', '2', '3']) {
    const rows = await run(new CoalescePartitionsExec(new MockExec(schema, partitions), null), {
      'debug.interleave': seed,
      'debug.poison': 'true',
    });
    assert.deepEqual(
      rows.map(Number).sort((a, b) => a - b),
      expected,
    );
  }
});

test('the failure of one input ends a merge and closes the others, whatever they wait for', async () => {
  const input = new MockExec(schema, [['block'], [ints(1), new DistqError('execution', 'broken on purpose')]]);
  await assert.rejects(run(new CoalescePartitionsExec(input, null)), /broken on purpose/);
  assert.equal(input.log.closed, 2);
});

test('closing settles at once while every input waits, and a cancel is told to the pull', async () => {
  const input = new MockExec(schema, [['block'], ['block']]);
  const { context, pool } = testTask();
  const stream = context.execute(new CoalescePartitionsExec(input, null), 0);
  const pull = stream.next();
  while (input.log.started < 2) await new Promise((resolve) => setImmediate(resolve));
  await stream.return();
  assert.equal((await pull).done, true);
  assert.equal(input.log.closed, 2);
  assert.equal(pool.usedBytes, 0);

  const second = testTask();
  const blocked = second.context.execute(new CoalescePartitionsExec(input, null), 0).next();
  second.scope.cancel(new DistqError('cancelled', 'stopped by the test'));
  await assert.rejects(blocked, /stopped by the test/);
});

test('a stream that was never pulled starts nothing when it is closed', async () => {
  const input = new MockExec(schema, [[ints(1)]]);
  const { context } = testTask();
  await context.execute(new CoalescePartitionsExec(input, null), 0).return();
  assert.deepEqual(input.log, { started: 0, pulls: 0, closed: 0 });
});
