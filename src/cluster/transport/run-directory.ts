import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DistqError } from '../../base/errors.js';
import { processStart } from './process-identity.js';

/** Sockets' paths end at 108 bytes on Linux and 104 on macOS, and Node 20 cuts longer ones off without a word. */
export const MAX_SOCKET_PATH_BYTES = 100;

const NAME = /^dq-([0-9a-z]+)-([0-9a-z]+)-[0-9a-z]{6}$/;

/**
 * The private directory of one run: the sockets of its processes, mode 0700. Its name says which process made it and when that
 * process started, so that a later run can tell that it was left behind and remove it.
 */
export class RunDirectory {
  readonly path: string;
  readonly #onExit = (): void => {
    this.remove();
  };

  private constructor(path: string) {
    this.path = path;
    // A synchronous end (process.exit, an uncaught error) leaves nothing either; after SIGKILL the children see to it.
    process.on('exit', this.#onExit);
  }

  /** Makes one, after removing those that dead processes left. On Windows sockets are named pipes and the directory holds nothing. */
  static create(candidates: readonly string[] = candidateParents()): RunDirectory {
    for (const parent of candidates) sweepRunDirectories(parent);
    const start = BigInt(processStart(process.pid) ?? '0').toString(36);
    const name = `dq-${process.pid.toString(36)}-${start}-${randomName()}`;
    let reason: unknown;
    for (const parent of candidates) {
      const path = join(parent, name);
      if (Buffer.byteLength(join(path, 'w9999')) > MAX_SOCKET_PATH_BYTES) continue;
      try {
        mkdirSync(path, { mode: 0o700 });
        return new RunDirectory(path);
      } catch (error) {
        reason = error;
      }
    }
    throw new DistqError('resources_exhausted', `no directory for the workers' sockets in ${candidates.join(', ')}`, {
      hint: 'set TMPDIR to a writable directory with a short path',
      ...(reason === undefined ? {} : { cause: reason }),
    });
  }

  /** The path of the run's n-th socket. */
  socketPath(serial: number): string {
    if (process.platform === 'win32') return `\\\\.\\pipe\\${basename(this.path)}-w${serial}`;
    return join(this.path, `w${serial}`);
  }

  remove(): void {
    process.off('exit', this.#onExit);
    try {
      rmSync(this.path, { recursive: true, force: true });
    } catch {
      // The next run sweeps it.
    }
  }
}

/** Removes run directories in `parent` whose process is gone. */
function sweepRunDirectories(parent: string): void {
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    return;
  }
  for (const name of names) {
    const parts = NAME.exec(name);
    if (parts === null) continue;
    const [, pid = '', start = ''] = parts;
    const alive = processStart(Number.parseInt(pid, 36));
    if (alive !== undefined && BigInt(alive).toString(36) === start) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}

/**
 * What a child does when its control channel broke: once its coordinator is really gone, nobody needs the directory any more, and every
 * child removes what is left of it. A coordinator that only closed the channel removes it itself. Waits at most half a second; never throws.
 */
export function abandonRunDirectory(path: string, coordinator: number): void {
  for (let tries = 0; tries < 50; tries++) {
    if (processStart(coordinator) === undefined) {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

function candidateParents(): string[] {
  const { XDG_RUNTIME_DIR } = process.env;
  const candidates = [...(XDG_RUNTIME_DIR === undefined ? [] : [XDG_RUNTIME_DIR]), tmpdir(), '/tmp'];
  return [...new Set(candidates.filter((parent) => parent !== ''))];
}

function randomName(): string {
  return [...randomBytes(6)].map((byte) => (byte % 36).toString(36)).join('');
}
