/**
 * Workers killed by SIGKILL at the Nth frame, N = 1, 2, 3 …, on their way to a join's build side, to its probe side and to the head.
 * Every time the query ends with one clear error within seconds and nothing is left.
 *
 * The ordinary run takes the first few frames of each place; DISTQ_KILL_RUNS=100 (and DISTQ_KILL_SEED) adds so many runs at random
 * places: `DISTQ_KILL_RUNS=100 npm run unit -- faults/killed`.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { DistqError } from '../../src/base/errors.js';
import { collectRows, eventually, isGone, TestCluster } from '../support/cluster.js';
import { joined, joinedRowCount } from '../support/rows-plans.js';
import type { RowsOptions } from '../support/rows-exec.js';

const DEADLINE_MS = 5_000;
const places = ['build', 'exchange', 'head'] as const;
const rows: RowsOptions = { partitions: 2, batches: 4, rowsPerBatch: 10, textBytes: 300, ending: 'end' };
const tasks = 4;

/** Runs the query with a fault. True when the fault struck; false when there were fewer frames and the query succeeded. */
async function strike(fault: string): Promise<boolean> {
  const cluster = new TestCluster();
  try {
    const run = cluster.run(joined(tasks, rows), {
      settings: {
        'distq.workers': '4',
        'distq.worker_mode': 'processes',
        'distq.coordinator_tasks': 'never',
        'debug.windows': 'tiny',
        'debug.fault': fault,
      },
    });
    await cluster.pool.ensureChildren(2);
    const before = cluster.pool.childPids;
    const directory = cluster.pool.runDirectory;
    const start = performance.now();
    let error: DistqError | undefined;
    let count = 0;
    try {
      count = (await collectRows(run)).length;
    } catch (caught) {
      assert.ok(caught instanceof DistqError, String(caught));
      error = caught;
    }
    const ms = performance.now() - start;
    assert.equal(cluster.pool.host.activeTasks, 0);
    assert.deepEqual(cluster.pool.memory.holders(), []);
    assert.deepEqual(run.leaks, []);
    if (error === undefined) {
      assert.equal(count, joinedRowCount(tasks, rows));
    } else {
      const killed = /^(worker \d) \(process (\d+)\) was killed by SIGKILL while it ran task (\d) of stage (\d)$/.exec(
        error.message,
      );
      assert.ok(killed !== null, `${fault}: ${error.kind}: ${error.message}`);
      assert.deepEqual([error.kind, error.exitCode], ['worker_lost', 5]);
      const [, worker, pid, task, stage] = killed;
      assert.deepEqual(error.task, { stage: Number(stage), task: Number(task), worker });
      assert.ok(before.includes(Number(pid)), `${pid} is none of ${before.join(', ')}`);
      assert.ok(ms < DEADLINE_MS, `${fault}: ${ms} ms`);
      assert.ok(isGone(Number(pid)));
    }
    await cluster.pool.close();
    assert.ok(await eventually(() => before.every(isGone)), `${fault}: a child is left`);
    assert.ok(directory !== undefined && !existsSync(directory), `${fault}: ${directory} is left`);
    return error !== undefined;
  } finally {
    await cluster.pool.close();
  }
}

for (const place of places) {
  test(`2.6: killed at the first frames to ${place}`, { timeout: 120_000 }, async () => {
    for (let n = 1; n <= 2; n++) assert.ok(await strike(`kill@${place}:${n}/${1 + (n % 2)}`), `frame ${n} never came`);
  });
}

test('2.6: killed after the last frame and before the end of a partition', { timeout: 120_000 }, async () => {
  for (const n of [1, 5]) assert.ok(await strike(`kill@eos:${n}/1`));
});

test('killed when its plan comes, before it ran anything', { timeout: 60_000 }, async () => {
  assert.ok(await strike('kill@plan:2/2'));
});

test('a fault that never comes leaves the rows alone', { timeout: 60_000 }, async () => {
  assert.equal(await strike('kill@frame:1000000'), false);
});

test('a pool that lost a worker starts anew for the next query', { timeout: 120_000 }, async () => {
  const cluster = new TestCluster();
  try {
    const settings = { 'distq.workers': '4', 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'always' };
    await assert.rejects(
      collectRows(cluster.run(joined(tasks, rows), { settings: { ...settings, 'debug.fault': 'kill@frame:3' } })),
      { kind: 'worker_lost' },
    );
    const first = cluster.pool.childPids;
    const again = await collectRows(cluster.run(joined(tasks, rows), { settings }));
    assert.equal(again.length, joinedRowCount(tasks, rows));
    assert.notDeepEqual(cluster.pool.childPids, first);
  } finally {
    await cluster.pool.close();
  }
});

test('an idle worker that is lost ends the query too', { timeout: 60_000 }, async () => {
  const cluster = new TestCluster();
  try {
    const settings = { 'distq.workers': '2', 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'never' };
    // One task only: one of the two children has none.
    const run = cluster.run(joined(1, { ...rows, ending: 'block' }), { settings });
    const failure = assert.rejects(collectRows(run), (error: unknown) => {
      assert.ok(error instanceof DistqError);
      assert.equal(error.kind, 'worker_lost');
      assert.match(error.message, /^worker process \d+ was killed by SIGKILL while it had no task of this query$/);
      return true;
    });
    assert.ok(await eventually(() => run.progress.length > 0));
    const used = new Set(run.dispatched?.stages.flatMap(({ workers }) => workers.map((w) => run.hosting.placement[w])));
    const idle = [1, 2].find((process) => !used.has(process));
    assert.ok(idle !== undefined);
    process.kill(cluster.pool.childPids[idle - 1] ?? 0, 'SIGKILL');
    await failure;
  } finally {
    await cluster.pool.close();
  }
});

for (const [fault, kind] of [
  ['close@exchange:2', 'worker_lost'],
  ['truncate@build:2', 'worker_lost'],
  ['throw@head:2', 'execution'],
] as const) {
  test(`${fault} is a ${kind} error`, { timeout: 60_000 }, async () => {
    const cluster = new TestCluster();
    try {
      const settings = { 'distq.workers': '4', 'distq.worker_mode': 'processes', 'distq.coordinator_tasks': 'never' };
      const start = performance.now();
      const run = cluster.run(joined(tasks, rows), { settings: { ...settings, 'debug.fault': fault } });
      await assert.rejects(collectRows(run), (error: unknown) => {
        assert.ok(error instanceof DistqError);
        assert.equal(error.kind, kind, error.message);
        assert.ok(error.task !== undefined && error.task.stage > 0);
        return true;
      });
      assert.ok(performance.now() - start < DEADLINE_MS);
      assert.deepEqual(run.leaks, []);
    } finally {
      await cluster.pool.close();
    }
  });
}

test('a worker that stalls is ended by the time limit', { timeout: 60_000 }, async () => {
  const cluster = new TestCluster();
  try {
    const settings = {
      'distq.workers': '4',
      'distq.worker_mode': 'processes',
      'distq.timeout_ms': '1500',
      'debug.fault': 'stall@build:2',
    };
    const run = cluster.run(joined(tasks, rows), { settings });
    await assert.rejects(collectRows(run), { kind: 'resources_exhausted' });
    assert.deepEqual(run.leaks, []);
  } finally {
    await cluster.pool.close();
  }
});

const runs = Number(process.env['DISTQ_KILL_RUNS'] ?? 0);

test(`${runs} kills at random frames`, { timeout: 3_600_000, skip: runs === 0 && 'set DISTQ_KILL_RUNS' }, async (t) => {
  const seed = Number(process.env['DISTQ_KILL_SEED'] ?? Date.now() % 1_000_000);
  t.diagnostic(`DISTQ_KILL_SEED=${seed}`);
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  let struck = 0;
  for (let i = 0; i < runs; i++) {
    const fault = `kill@${places[random(places.length)] ?? 'frame'}:${1 + random(40)}/${1 + random(2)}`;
    if (await strike(fault)) struck++;
  }
  t.diagnostic(`${struck} of ${runs} struck, the others had fewer frames`);
  assert.ok(struck > runs / 2);
});
