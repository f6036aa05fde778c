/**
 * 1.5 million rows to a reader that sleeps: every process stays near what it needs for ten rows, since nobody reads ahead further than
 * the bounded buffers between them.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';
import { peakBytes, processTree, skipWithoutProc } from './processes.js';

const ALLOWED_BYTES = 150 * 2 ** 20;
/** 60,175 lines, each with each of 25 nations. */
const ROWS = 1_504_375;
const SQL = 'select l_orderkey, l_extendedprice, l_shipdate, l_comment, n_name from lineitem cross join nation';
/** The same plan with ten rows: order 2 has one line. */
const TEN_ROWS = `${SQL} where l_orderkey = 2 and n_nationkey < 10`;
/** Time for producers to fill whatever they can before the first byte is read. */
const FIRST_SLEEP_MS = 1_500;
const READ_BETWEEN_SLEEPS = 4 * 2 ** 20;
const SLEEP_MS = 25;
const SAMPLE_MS = 25;

const IN_ONE_PROCESS = ['distq.worker_mode=in_process'];
const FROM_CHILDREN = ['distq.worker_mode=processes', 'distributed.file_scan_config_bytes_per_partition=1'];
const cases: readonly (readonly [format: string, settings: readonly string[]])[] = [
  ['json', IN_ONE_PROCESS],
  ['ndjson', FROM_CHILDREN],
  ['json', FROM_CHILDREN],
  ['csv', FROM_CHILDREN],
];

interface Peaks {
  readonly coordinator: number;
  /** The largest of the children; 0 without any. */
  readonly child: number;
}

interface Answer {
  readonly peaks: Peaks;
  readonly lines: number;
  readonly first: string;
  readonly last: string;
}

/** Runs a query whose reader starts late and stops often. */
async function readSlowly(sql: string, format: string, settings: readonly string[], sleepMs = 0): Promise<Answer> {
  const args = ['exec', '--sql', sql, '--data', fixturesTpch, '--format', format, '--metrics', 'none', '--quiet'];
  const sets = settings.flatMap((setting) => ['--set', setting]);
  const child = spawn(process.execPath, [join(repositoryRoot, 'bin/distq.js'), ...args, '--workers', '2', ...sets], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  assert.ok(pid !== undefined);
  const peaks = new Map<number, number>();
  const sampler = setInterval(() => {
    for (const process of processTree(pid)) {
      const bytes = peakBytes(process);
      if (bytes !== undefined) peaks.set(process, bytes);
    }
  }, SAMPLE_MS);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  try {
    // Node drops what nobody read when the process ends, so a short answer is read at once.
    if (sleepMs > 0) await sleep(sleepMs);
    let lines = 0;
    let unread = READ_BETWEEN_SLEEPS;
    let first = '';
    let last = '';
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      if (first === '') first = chunk.toString('utf8', 0, 200);
      last = chunk.toString('utf8', Math.max(0, chunk.length - 200));
      unread -= chunk.length;
      if (unread < 0) {
        await sleep(SLEEP_MS);
        unread = READ_BETWEEN_SLEEPS;
      }
    }
    assert.deepEqual({ code: await ended, stderr }, { code: 0, stderr: '' });
    const children = [...peaks].filter(([process]) => process !== pid).map(([, bytes]) => bytes);
    return { peaks: { coordinator: peaks.get(pid) ?? 0, child: Math.max(0, ...children) }, lines, first, last };
  } finally {
    clearInterval(sampler);
    child.kill('SIGKILL');
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

describe('a slow reader', { skip: skipWithoutProc() }, () => {
  for (const [format, settings] of cases) {
    const hosting = settings === FROM_CHILDREN ? 'from child processes' : 'in one process';
    test(`${format} ${hosting}`, { timeout: 120_000 }, async (t) => {
      const few = await readSlowly(TEN_ROWS, format, settings);
      const many = await readSlowly(SQL, format, settings, FIRST_SLEEP_MS);
      t.diagnostic(
        `coordinator ${megabytes(few.peaks.coordinator)} → ${megabytes(many.peaks.coordinator)}, ` +
          `child ${megabytes(few.peaks.child)} → ${megabytes(many.peaks.child)}`,
      );
      const around = format === 'json' ? 2 : format === 'csv' ? 1 : 0;
      assert.deepEqual([few.lines, many.lines], [10 + around, ROWS + around]);
      if (format === 'json') {
        assert.ok(many.first.startsWith('[\n{"l_orderkey":') && many.last.endsWith('}\n]\n'), many.last);
      }
      assert.deepEqual([few.peaks.child > 0, many.peaks.child > 0], Array(2).fill(settings === FROM_CHILDREN));
      for (const role of ['coordinator', 'child'] as const) {
        const more = many.peaks[role] - few.peaks[role];
        assert.ok(more < ALLOWED_BYTES, `the ${role} took ${megabytes(more)} more than for ten rows`);
      }
    });
  }
});
