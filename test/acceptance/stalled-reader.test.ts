/** A reader that never reads again: Ctrl-C, the time limit and a lost worker still end the query, and the process. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';
import { processTree, skipWithoutProc, writtenBytes } from './processes.js';

/** Far more than the pipe and all buffers hold. */
const SQL = 'select l_orderkey, l_comment, o_comment from lineitem, orders';
const SPREAD = ['--workers', '2', '--set', 'distributed.file_scan_config_bytes_per_partition=1'];
const FROM_CHILDREN = [...SPREAD, '--set', 'distq.worker_mode=processes'];
const IN_ONE_PROCESS = [...SPREAD, '--set', 'distq.worker_mode=in_process'];
const QUIET_MS = 300;
/** From the event to the exit; a second of it is the last wait for the reader. */
const ALLOWED_MS = 15_000;

class Stalled {
  readonly child: ChildProcess;
  readonly pid: number;
  stderr = '';
  readonly #exited: Promise<unknown[]>;

  constructor(format: string, more: readonly string[]) {
    const args = ['exec', '--sql', SQL, '--data', fixturesTpch, '--format', format, '--metrics', 'none', ...more];
    this.child = spawn(process.execPath, [join(repositoryRoot, 'bin/distq.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.pid = this.child.pid ?? assert.fail('distq did not start');
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    // Not 'close', which waits for the pipe that nobody reads.
    this.#exited = once(this.child, 'exit');
  }

  /** Until the process has written more than nothing and then writes no more. */
  async stalls(): Promise<void> {
    for (let before = -1, now = writtenBytes(this.pid); before !== now || now < 2 ** 16; ) {
      await sleep(QUIET_MS);
      before = now;
      now = writtenBytes(this.pid);
    }
  }

  async ends(): Promise<number | string> {
    const late = sleep(ALLOWED_MS, 'hung' as const, { ref: false });
    const ended = await Promise.race([this.#exited, late]);
    return ended === 'hung' ? ended : Number(ended[0]);
  }
}

async function ended(
  format: string,
  more: readonly string[],
  event: (run: Stalled) => void,
): Promise<Readonly<Record<string, unknown>>> {
  const run = new Stalled(format, more);
  try {
    await run.stalls();
    const children = processTree(run.pid).filter((pid) => pid !== run.pid);
    event(run);
    const code = await run.ends();
    return { code, stderr: run.stderr.replace(/\d+/g, 'N'), left: children.filter(isAlive) };
  } finally {
    run.child.kill('SIGKILL');
    run.child.stdout?.destroy();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a reader that stalls', { skip: skipWithoutProc() }, () => {
  for (const [hosting, settings] of Object.entries({ 'in one process': IN_ONE_PROCESS, children: FROM_CHILDREN })) {
    test(`Ctrl-C, ${hosting}`, { timeout: 60_000 }, async () => {
      const result = await ended('ndjson', settings, (run) => run.child.kill('SIGINT'));
      assert.deepEqual(result, { code: 130, stderr: 'error: interrupted\n', left: [] });
    });
  }

  test('the time limit', { timeout: 60_000 }, async () => {
    const { code, stderr, left } = await ended('csv', [...IN_ONE_PROCESS, '--timeout', '4s'], () => undefined);
    assert.deepEqual([code, left], [6, []]);
    assert.match(String(stderr), /time limit/);
  });

  test('a killed worker', { timeout: 60_000 }, async () => {
    const { code, stderr } = await ended('json', FROM_CHILDREN, (run) => {
      const [child] = processTree(run.pid).filter((pid) => pid !== run.pid);
      assert.ok(child !== undefined, 'no child process ran');
      process.kill(child, 'SIGKILL');
    });
    assert.equal(code, 5);
    assert.match(String(stderr), /SIGKILL/);
  });
});
