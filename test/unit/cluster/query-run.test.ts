import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelScope } from '../../../src/base/cancel-scope.js';
import { DistqError } from '../../../src/base/errors.js';
import { HEAD_STAGE, stageId } from '../../../src/base/ids.js';
import type { QueryRun } from '../../../src/cluster/coordinator/query-run.js';
import { WorkerPool } from '../../../src/cluster/coordinator/worker-pool.js';
import { DistributedExec } from '../../../src/distributed/operators/distributed-exec.js';
import { NetworkCoalesceExec } from '../../../src/distributed/operators/network-coalesce-exec.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../../../src/physical/operators/global-limit-exec.js';
import {
  collectRows,
  eventually,
  isGone,
  runDirectories,
  sorted,
  TestCluster,
  testServices,
} from '../../support/cluster.js';
import { expectedRows, gathered, numbered, relayed } from '../../support/rows-plans.js';
import { RowsExec, type RowsOptions } from '../../support/rows-exec.js';

/** Every place a task can live in: engine rule 9 wants the same answers and the same errors from all of them. */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'in the coordinator': { 'distq.worker_mode': 'in_process' },
  'in both': { 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'always' },
  'in children': { 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'never' },
};

const small: RowsOptions = { partitions: 3, batches: 5, rowsPerBatch: 7, textBytes: 8, ending: 'end' };

async function withCluster(work: (cluster: TestCluster) => Promise<void>): Promise<void> {
  const cluster = new TestCluster();
  try {
    await work(cluster);
    assert.equal(cluster.pool.host.activeQueries, 0);
    assert.equal(cluster.pool.host.activeTasks, 0);
    assert.deepEqual(cluster.pool.memory.holders(), []);
  } finally {
    const { childPids, runDirectory } = cluster.pool;
    await cluster.pool.close();
    assert.ok(childPids.every(isGone), 'a child outlived its pool');
    assert.ok(runDirectory === undefined || !runDirectories().some((name) => runDirectory.endsWith(name)));
  }
}

async function failureOf(run: QueryRun): Promise<DistqError> {
  try {
    await collectRows(run);
  } catch (error) {
    assert.ok(error instanceof DistqError, String(error));
    return error;
  }
  assert.fail('the query succeeded');
}

function outputRows(run: QueryRun, stage: number, task: number): number | undefined {
  return run.metrics.get(stageId(stage), task)?.nodes[0]?.find(({ name }) => name === 'output_rows')?.value;
}

for (const [place, settings] of Object.entries(places)) {
  test(`rows of all tasks arrive once, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      for (const windows of ['normal', 'tiny']) {
        const run = cluster.run(relayed(4, small), { settings: { ...settings, 'debug.windows': windows } });
        assert.deepEqual(sorted(await collectRows(run)), expectedRows(4, small));
        assert.equal(run.tasksInChildren, place === 'in the coordinator' ? 0 : place === 'in both' ? 3 : 6);
        assert.deepEqual(run.leaks, []);
        // L11: every task of every stage reports.
        for (let task = 0; task < 4; task++) {
          assert.equal(run.metrics.get(stageId(1), task)?.state, 'finished');
          assert.equal(outputRows(run, 1, task), 105);
        }
        for (let task = 0; task < 2; task++) assert.equal(outputRows(run, 2, task), 210);
        assert.equal(run.metrics.get(HEAD_STAGE, 0)?.state, 'finished');
      }
    }),
  );

  test(`L11: a limit ends the query early and every task still reports, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      // The sources never end by themselves.
      const endless: RowsOptions = { ...small, ending: 'block' };
      const plan = relayed(4, endless);
      assert.ok(plan instanceof DistributedExec);
      const limited = new DistributedExec(new GlobalLimitExec(plan.input, 0, 10));
      const run = cluster.run(limited, { settings });
      assert.equal((await collectRows(run)).length, 10);
      assert.deepEqual(run.leaks, []);
      for (const [stage, tasks] of [
        [1, 4],
        [2, 2],
      ] as const) {
        for (let task = 0; task < tasks; task++) {
          assert.equal(run.metrics.get(stageId(stage), task)?.state, 'cancelled', `stage ${stage} task ${task}`);
        }
      }
    }),
  );

  test(`an error of a leaf is the query's, word by word, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      for (let round = 0; round < 3; round++) {
        const run = cluster.run(relayed(3, { ...small, ending: 'fail' }), { settings });
        const error = await failureOf(run);
        assert.equal(error.kind, 'execution');
        assert.equal(error.message, 'row 35 cannot be made');
        assert.equal(error.hint, 'ask for fewer');
        assert.equal(error.task?.stage, 1);
        assert.match(error.task.worker, /^worker [01]$/);
        assert.deepEqual(run.leaks, []);
      }
      // The cluster goes on.
      const run = cluster.run(gathered(2, small), { settings });
      assert.deepEqual(sorted(await collectRows(run)), expectedRows(2, small));
    }),
  );

  test(`T9: a reader that goes away leaves no task behind, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      const run = cluster.run(relayed(4, { ...small, ending: 'block' }), { settings });
      for await (const batch of run.batches()) {
        assert.ok(batch.numRows > 0);
        break;
      }
      assert.deepEqual(run.leaks, []);
      assert.equal(run.metrics.get(stageId(1), 0)?.state, 'cancelled');
    }),
  );

  test(`a cancel reaches every task within a moment, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      for (const ending of ['block', 'spin'] as const) {
        const run = cluster.run(relayed(4, { ...small, ending }), { settings });
        const failure = failureOf(run);
        assert.ok(await eventually(() => run.progress.length > 0), 'no progress was told');
        const before = performance.now();
        run.cancel(new DistqError('cancelled', 'interrupted'));
        const error = await failure;
        assert.deepEqual([error.kind, error.message], ['cancelled', 'interrupted']);
        const ms = performance.now() - before;
        assert.ok(ms < 1_500, `${ending}: ${ms} ms`);
        assert.deepEqual(run.leaks, []);
      }
    }),
  );

  test(`a time limit is a limit, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      const run = cluster.run(relayed(2, { ...small, ending: 'block' }), {
        settings: { ...settings, 'distq.timeout_ms': '300' },
      });
      const error = await failureOf(run);
      assert.equal(error.kind, 'resources_exhausted');
      assert.match(error.message, /time limit of 300 ms/);
      assert.equal(error.hint, 'raise --timeout');
    }),
  );

  test(`an injected failure is the same wherever it happens, tasks ${place}`, { timeout: 60_000 }, () =>
    withCluster(async (cluster) => {
      const run = cluster.run(gathered(2, small), { settings: { ...settings, 'debug.fault': 'throw@plan:1' } });
      const error = await failureOf(run);
      assert.equal(error.kind, 'execution');
      assert.match(error.message, /injected fault/);
      assert.equal(error.task?.stage, 1);
    }),
  );
}

test('a plan without stages is all head', { timeout: 60_000 }, () =>
  withCluster(async (cluster) => {
    const run = cluster.run(new RowsExec(small), { settings: places['in children'] ?? {} });
    assert.deepEqual(sorted(await collectRows(run)), expectedRows(1, small));
    assert.equal(run.tasksInChildren, 0);
    assert.equal(cluster.pool.runningChildren, 0);
  }),
);

test('a slow reader holds up its producers and not the memory', { timeout: 60_000 }, () =>
  withCluster(async (cluster) => {
    const wide: RowsOptions = { partitions: 1, batches: 300, rowsPerBatch: 100, textBytes: 1_000, ending: 'end' };
    const run = cluster.run(gathered(2, wide), {
      settings: { 'distq.worker_mode': 'processes', 'distributed.worker_connection_buffer_budget_bytes': '65536' },
    });
    let most = 0;
    let rows = 0;
    for await (const batch of run.batches()) {
      rows += batch.numRows;
      most = Math.max(most, cluster.pool.memory.usedBytes);
      if (rows < 20_000) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.equal(rows, 60_000);
    // 60 MB went by; two windows of 64 KiB plus a frame each, in blocks of powers of two, may wait here.
    assert.ok(most < 2 * 2 ** 20, `${most} bytes were held`);
  }),
);

test('T2: a partition that nobody pulls holds up no other', { timeout: 60_000 }, () =>
  withCluster(async (cluster) => {
    // Two partitions of one connection; the merge in order asks for the second one only after the first has ended.
    const options: RowsOptions = { partitions: 2, batches: 50, rowsPerBatch: 50, textBytes: 500, ending: 'end' };
    const boundary = numbered(NetworkCoalesceExec.over(new RowsExec(options), 1, 1), 1);
    const run = cluster.run(new DistributedExec(boundary), {
      settings: { 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'never', 'debug.windows': 'tiny' },
    });
    assert.deepEqual(sorted(await collectRows(run)), expectedRows(1, options));
  }),
);

test('T4: nothing is opened before it is pulled', { timeout: 60_000 }, () =>
  withCluster(async (cluster) => {
    const run = cluster.run(gathered(2, small), { settings: places['in children'] ?? {} });
    const iterator = run.batches()[Symbol.asyncIterator]();
    // Not even the plan goes out.
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(run.dispatched, undefined);
    await iterator.return(undefined);
    assert.equal(run.dispatched, undefined);
  }),
);

test('2.5: many tasks of many stages share two processes', { timeout: 120_000 }, () =>
  withCluster(async (cluster) => {
    const leaf: RowsOptions = { partitions: 8, batches: 2, rowsPerBatch: 3, textBytes: 4, ending: 'end' };
    let stage = 1;
    let plan = numbered(NetworkCoalesceExec.over(new RowsExec(leaf), 16, 16), stage);
    for (; stage < 10; ) plan = numbered(NetworkCoalesceExec.over(plan, 16, stage === 9 ? 1 : 16), ++stage);
    const run = cluster.run(new DistributedExec(new CoalescePartitionsExec(plan)), {
      settings: { 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'always', 'distq.workers': '16' },
    });
    assert.deepEqual(sorted(await collectRows(run)), expectedRows(16, leaf));
    assert.equal(run.dispatched?.stages.length, 10);
    assert.deepEqual(run.leaks, []);
  }),
);

test('a session scope that is cancelled ends its queries', { timeout: 60_000 }, () =>
  withCluster(async (cluster) => {
    const scope = new CancelScope();
    const plan = gathered(2, { ...small, ending: 'block' });
    const failure = failureOf(cluster.run(plan, { settings: places['in children'] ?? {}, scope }));
    assert.ok(await eventually(() => cluster.pool.runningChildren > 0));
    scope.cancel(new DistqError('cancelled', 'the session is closed'));
    assert.equal((await failure).message, 'the session is closed');
  }),
);

test('a worker entry that does not start is one clear error', { timeout: 60_000 }, async () => {
  const pool = new WorkerPool({
    services: testServices(),
    workerUrl: new URL('./no-such-worker.js', import.meta.url),
    memoryBytes: 2 ** 29,
  });
  await assert.rejects(pool.ensureChildren(2), (error: unknown) => {
    assert.ok(error instanceof DistqError);
    assert.equal(error.kind, 'worker_lost');
    assert.match(error.message, /^worker process \d+ ended with code 1 before it was ready$/);
    assert.match(String(error.cause), /Cannot find module/);
    return true;
  });
  await pool.close();
});
