/**
 * Plug-ins over worker processes: sources that say where they ran, routed by rules of their own, and feeds whose units go to the tasks
 * that have time for them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DistqError } from '../../src/base/errors.js';
import { SessionContext } from '../../src/session/index.js';
import { observed, resetObserved, type Script } from '../support/plugins/scripted-feed.js';
import { queryRows } from '../support/query-rows.js';
import { repositoryRoot } from '../support/repository.js';

const urlEmitter = join(repositoryRoot, 'fixtures/plugins/url-emitter.mjs');
const scriptedFeed = new URL('../support/plugins/scripted-feed.js', import.meta.url);
const hostings = ['in_process', 'processes'] as const;

const scratch = mkdtempSync(join(tmpdir(), 'distq-plugins-'));
after(() => {
  rmSync(scratch, { recursive: true });
});

interface Sessions {
  readonly plugins: readonly (string | URL)[];
  readonly workers: number;
  readonly hosting: (typeof hostings)[number];
  readonly settings?: Readonly<Record<string, string>>;
}

function openSession({ plugins, workers, hosting, settings = {} }: Sessions): Promise<SessionContext> {
  return SessionContext.create({
    plugins,
    settings: Object.entries({
      'distq.workers': String(workers),
      'distq.worker_mode': hosting,
      'distq.coordinator_tasks': 'never',
      ...settings,
    }),
  });
}

async function withSession<T>(options: Sessions, use: (session: SessionContext) => Promise<T>): Promise<T> {
  const session = await openSession(options);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

describe('the URL emitter in a distributed union', () => {
  const union =
    "select * from worker_url('a', 'first') union all select * from worker_url('b', 'last') union all select * from worker_url('c')";
  // Tasks as the plan deals them, and what the rules make of them; the last worker is another one each time.
  const cases = [
    { workers: 1, map: 't0:[c0] t1:[c1] t2:[c2]', spread: [0] },
    { workers: 2, map: 't0:[c0] t1:[c1] t2:[c2(0/2)] t3:[c2(1/2)]', spread: [0, 1] },
    { workers: 4, map: 't0:[c0] t1:[c1] t2:[c2(0/2)] t3:[c2(1/2)]', spread: [0, 1] },
  ];
  for (const { workers, map, spread } of cases) {
    test(`${workers} workers in child processes`, { timeout: 60_000 }, async () => {
      const settings = { 'distributed.max_tasks_per_stage': '4' };
      await withSession({ plugins: [urlEmitter], workers, hosting: 'processes', settings }, async (session) => {
        const text = await (await session.sql(union)).explain();
        assert.ok(text.includes(`DistributedUnionExec: ${map}\n`), text);
        assert.match(text, /t0: UrlEmitterExec: tag=b, rule=last\n/);

        const rows = await queryRows(session, union);
        const url = (worker: number): string => `distq://worker/${worker}`;
        assert.deepEqual(rows.map(([tag, task, tasks, worker]) => [tag, task, tasks, worker].join(' ')).sort(), [
          `a 0 1 ${url(0)}`,
          `b 0 1 ${url(workers - 1)}`,
          ...spread.map((worker, task) => `c ${task} ${spread.length} ${url(worker)}`),
        ]);
        // A worker lives in one process, and none of them in this one.
        const processes = new Map<string, Set<string>>();
        for (const [, , , worker, process] of rows) {
          const own = processes.get(String(worker)) ?? new Set();
          processes.set(String(worker), own.add(String(process)));
        }
        for (const [worker, own] of processes) {
          assert.equal(own.size, 1, worker);
          const [pid] = own;
          assert.ok(session.runner.childPids.includes(Number(pid)), `${worker} ran in process ${pid}`);
        }
        assert.equal(new Set([...processes.values()].flatMap((own) => [...own])).size, Math.min(2, workers));
      });
    });
  }
});

function scripted(script: Script): string {
  return `select * from scripted('${JSON.stringify(script)}')`;
}

/** Units by task, each exactly once. */
async function unitsByTask(session: SessionContext, script: Script): Promise<Map<number, number[]>> {
  const byTask = new Map<number, number[]>();
  for (const [unit, task] of await queryRows(session, scripted(script))) {
    byTask.set(Number(task), [...(byTask.get(Number(task)) ?? []), Number(unit)]);
  }
  const all = [...byTask.values()].flat().sort((a, b) => a - b);
  assert.deepEqual(
    all,
    Array.from({ length: script.count }, (_, unit) => unit),
  );
  return byTask;
}

async function failure(session: SessionContext, script: Script, deadlineMs = 10_000): Promise<DistqError> {
  const startMs = performance.now();
  try {
    await queryRows(session, scripted(script));
  } catch (error) {
    assert.ok(error instanceof DistqError, String(error));
    assert.ok(performance.now() - startMs < deadlineMs, `it took ${performance.now() - startMs} ms`);
    return error;
  }
  return assert.fail('the query did not fail');
}

for (const hosting of hostings) {
  describe(`a feed, ${hosting}`, { timeout: 120_000 }, () => {
    const shared: { session?: SessionContext } = {};
    const session = (): SessionContext => shared.session ?? assert.fail('there is no session');
    before(async () => {
      shared.session = await openSession({ plugins: [scriptedFeed], workers: 2, hosting });
    });
    after(async () => {
      await shared.session?.close();
    });

    test('every unit comes once, from many, from one and from no unit', async () => {
      for (const count of [0, 1, 300]) await unitsByTask(session(), { count });
      const two = `${scripted({ count: 30 })} union all ${scripted({ count: 20 })}`;
      assert.deepEqual(await queryRows(session(), `select count(*), sum(unit) from (${two})`), [['50', '625']]);
    });

    test('a slow task leaves its units to the others, and metrics count them', async () => {
      const frame = await session().sql(scripted({ count: 60, slowTask: 1, slowMs: 200, everyMs: 3 }));
      const byTask = [0, 0];
      for await (const batch of frame.execute()) {
        for (let row = 0; row < batch.numRows; row++) {
          const task = Number(batch.getChildAt(1)?.get(row));
          byTask[task] = (byTask[task] ?? 0) + 1;
        }
      }
      const [quick = 0, slow = 0] = byTask;
      assert.equal(quick + slow, 60);
      assert.ok(slow >= 1 && slow <= 15, `${slow} units went to the slow task`);
      const told = frame.metrics()?.operators.filter(({ operator }) => operator === 'ScriptedExec') ?? [];
      assert.deepEqual(
        told.map(({ task, ['work_units']: units }) => [task, units]),
        [
          [0, quick],
          [1, slow],
        ],
      );
    });

    test('a LIMIT closes the provider, which is not far ahead', async () => {
      // Once at the end of the query, and once where the query goes on without the feed.
      const sql = `${scripted({ count: 1_000_000, everyMs: 1 })} limit 5`;
      for (const query of [sql, `select * from (${sql}) order by unit`]) {
        resetObserved();
        assert.equal((await queryRows(session(), query)).length, 5);
        assert.equal(observed.returned, 1);
        assert.ok(observed.aborted);
        assert.ok(observed.given < 200, `${observed.given} units were given`);
      }
    });

    test('a provider that fails ends the query with its error, its plug-in, stage and task', async () => {
      const error = await failure(session(), { count: 50, failAt: 20 });
      assert.equal(error.kind, 'data_source');
      assert.match(
        error.message,
        /^plug-in file:.*scripted-feed\.js: the work-unit feed of ScriptedExec failed: page 20 is gone$/,
      );
      assert.ok(error.task?.stage === 1 && [0, 1].includes(error.task.task), JSON.stringify(error.task));
    });

    test('so does a unit that cannot travel', async () => {
      resetObserved();
      const error = await failure(session(), { count: 50, badAt: 3 });
      assert.equal(error.kind, 'execution');
      assert.match(
        error.message,
        /: the work-unit feed of ScriptedExec failed: unit 3 cannot be sent to a worker: it holds a function at unit\.callback$/,
      );
      assert.equal(observed.returned, 1);
    });

    test('so do rows that throw', async () => {
      const error = await failure(session(), { count: 50, throwTask: 1, everyMs: 1 });
      assert.equal(error.kind, 'execution');
      assert.match(error.message, /^plug-in file:.*scripted-feed\.js: ScriptedExec failed: no luck$/);
      assert.deepEqual([error.task?.stage, error.task?.task], [1, 1]);
    });

    test('a provider that waits for ever does not hold a query', async () => {
      const before = session().config;
      session().config = before.with('distq.timeout_ms', '400');
      resetObserved();
      try {
        const error = await failure(session(), { count: 10, hangAt: 4 });
        assert.equal(error.kind, 'resources_exhausted');
        assert.ok(observed.aborted);
      } finally {
        session().config = before;
      }
    });

    if (hosting === 'processes') {
      test('a worker that dies with a unit is a lost worker, and the next query runs', async () => {
        resetObserved();
        const error = await failure(session(), { count: 1_000, dieTask: 1, everyMs: 2 });
        assert.equal(error.kind, 'worker_lost');
        assert.match(error.message, /was killed by SIGKILL while it ran task 1 of stage 1$/);
        assert.equal(observed.returned, 1);
        await unitsByTask(session(), { count: 10 });
      });
    }
  });
}

test('the provider is never ahead by more than its queue and what tasks asked for', { timeout: 60_000 }, async () => {
  await withSession({ plugins: [scriptedFeed], workers: 3, hosting: 'in_process' }, async (session) => {
    for (const queue of [1, 4]) {
      resetObserved();
      await unitsByTask(session, { count: 40, everyMs: 5, queue });
      // Tasks that take their time ask for a unit per partition that waits, and for no more.
      assert.ok(observed.lead <= queue + 6, `${observed.lead} units ahead with a queue of ${queue}`);
      assert.equal(observed.begun, 40);
    }
  });
});

test('the head can be fed too', async () => {
  await withSession({ plugins: [scriptedFeed], workers: 1, hosting: 'in_process' }, async (session) => {
    const byTask = await unitsByTask(session, { count: 20 });
    assert.deepEqual([...byTask.keys()], [0]);
  });
});

test('a plug-in that breaks in worker processes only is told as what it is', { timeout: 60_000 }, async () => {
  const path = join(scratch, 'only-here.mjs');
  writeFileSync(
    path,
    `if (process.send !== undefined && process.argv.includes('--distq-worker')) throw new Error('not here');
export default (distq) => {
  distq.desiredTaskCount((node) => (node.name === 'UrlEmitterExec' ? 2 : undefined));
};\n`,
  );
  await withSession({ plugins: [path, urlEmitter], workers: 2, hosting: 'processes' }, async (session) => {
    const sql = "select * from worker_url('x', 'first') union all select * from worker_url('y', 'last')";
    await assert.rejects(queryRows(session, sql), {
      kind: 'config',
      message: `plug-in ${path}: it could not be loaded: not here`,
    });
  });
});
