/** Ctrl-C, and a coordinator that dies: everything ends, nothing is left (engine rules 4.7, 11.5). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RunDirectory } from '../../src/cluster/transport/run-directory.js';
import { eventually, isGone } from '../support/cluster.js';

interface Said {
  readonly starting?: boolean;
  readonly pids?: readonly number[];
  readonly directory?: string;
  readonly error?: string;
  readonly leaks?: readonly string[];
}

class Coordinator {
  readonly child: ChildProcess;
  readonly said: Said[] = [];
  stderr = '';
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  /** In a process group of its own, as a shell starts it. */
  constructor(ending: 'block' | 'spin') {
    const script = fileURLToPath(new URL('../support/cluster-coordinator.js', import.meta.url));
    this.child = spawn(process.execPath, [script, ending], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const { stdout, stderr } = this.child;
    assert.ok(stdout !== null && stderr !== null);
    createInterface(stdout).on('line', (line) => this.said.push(JSON.parse(line) as Said));
    stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.exited = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? assert.fail('the coordinator did not start');
  }

  async hears(what: keyof Said): Promise<Said> {
    assert.ok(
      await eventually(() => this.said.some((said) => said[what] !== undefined), 30_000),
      `no ${what}: ${this.stderr}`,
    );
    return this.said.find((said) => said[what] !== undefined) ?? assert.fail();
  }

  /** The children that run its tasks, and where their sockets are. */
  async running(): Promise<{ readonly pids: readonly number[]; readonly directory: string }> {
    const { pids = [], directory = '' } = await this.hears('pids');
    assert.equal(pids.length, 2);
    assert.ok(existsSync(directory) && !pids.some(isGone));
    return { pids, directory };
  }

  async endsWith130(): Promise<void> {
    const start = performance.now();
    assert.deepEqual(await this.exited, { code: 130, signal: null }, this.stderr);
    const ms = performance.now() - start;
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.equal(this.stderr, '');
  }

  kill(): void {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
  }
}

async function nothingLeft(pids: readonly number[], directory: string): Promise<void> {
  assert.ok(await eventually(() => pids.every(isGone)), `of ${pids.join(', ')} some are left`);
  assert.ok(await eventually(() => !existsSync(directory)), `${directory} is left`);
}

const options = { timeout: 60_000, skip: process.platform === 'win32' && 'no signals to process groups' };

for (const ending of ['block', 'spin'] as const) {
  test(`SIGINT to the coordinator alone (tasks ${ending})`, options, async () => {
    const coordinator = new Coordinator(ending);
    try {
      const { pids, directory } = await coordinator.running();
      process.kill(coordinator.pid, 'SIGINT');
      await coordinator.endsWith130();
      assert.deepEqual((await coordinator.hears('error')).leaks, []);
      await nothingLeft(pids, directory);
    } finally {
      coordinator.kill();
    }
  });

  test(
    `the coordinator is killed: its children end by themselves and take the directory along (tasks ${ending})`,
    options,
    async () => {
      const coordinator = new Coordinator(ending);
      try {
        const { pids, directory } = await coordinator.running();
        process.kill(coordinator.pid, 'SIGKILL');
        await nothingLeft(pids, directory);
      } finally {
        coordinator.kill();
      }
    },
  );
}

test('SIGINT to the whole process group, as Ctrl-C sends it', options, async () => {
  const coordinator = new Coordinator('block');
  try {
    const { pids, directory } = await coordinator.running();
    process.kill(-coordinator.pid, 'SIGINT');
    await coordinator.endsWith130();
    assert.equal((await coordinator.hears('error')).error, 'interrupted');
    await nothingLeft(pids, directory);
  } finally {
    coordinator.kill();
  }
});

test('SIGINT twice', options, async () => {
  const coordinator = new Coordinator('spin');
  try {
    const { pids, directory } = await coordinator.running();
    process.kill(-coordinator.pid, 'SIGINT');
    process.kill(-coordinator.pid, 'SIGINT');
    await coordinator.endsWith130();
    await nothingLeft(pids, directory);
  } finally {
    coordinator.kill();
  }
});

for (const delayMs of [0, 30, 60, 100, 150]) {
  test(`SIGINT to the group ${delayMs} ms into the start`, options, async () => {
    const coordinator = new Coordinator('block');
    try {
      await coordinator.hears('starting');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      process.kill(-coordinator.pid, 'SIGINT');
      await coordinator.endsWith130();
      assert.equal((await coordinator.hears('error')).error, 'interrupted');
      assert.ok(await eventually(() => groupIsGone(coordinator.pid)), 'a process of the group is left');
    } finally {
      coordinator.kill();
    }
  });
}

test('everybody is killed at once: the next run sweeps the directory', options, async () => {
  const coordinator = new Coordinator('block');
  try {
    const { pids, directory } = await coordinator.running();
    process.kill(-coordinator.pid, 'SIGKILL');
    assert.ok(await eventually(() => pids.every(isGone) && isGone(coordinator.pid)));
    assert.ok(existsSync(directory));
    RunDirectory.create().remove();
    assert.ok(!existsSync(directory));
  } finally {
    coordinator.kill();
  }
});

/** True when no process of the group does anything any more; zombies that nobody collects still make it exist. */
function groupIsGone(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return true;
  }
  return isGone(group);
}
