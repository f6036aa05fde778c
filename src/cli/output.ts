import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { CancelScope } from '../base/cancel-scope.js';
import { DistqError } from '../base/errors.js';

/**
 * The one writer of the answer. `write` resolves when more may be written, so a slow reader slows the query down; a reader that
 * went away sets `closed`, which is no error.
 */
export interface Output {
  /** True once the reader has closed its end. */
  readonly closed: boolean;
  write(chunks: readonly Uint8Array[]): Promise<void>;
  /** Everything has been handed over: a file gets its name. */
  finish(): Promise<void>;
  /** Something failed: an unfinished file goes. */
  abandon(): Promise<void>;
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** What both kinds do: hand chunks to a stream, wait while it is full, and turn its errors into ours. */
abstract class WritableOutput implements Output {
  protected readonly stream: Writable;
  readonly #name: string;
  readonly #scope: CancelScope;
  #error: Error | undefined;
  #closed = false;

  /** `name` is what stands in "… cannot be written". A cancel of `scope` ends every wait for a reader that does not read. */
  constructor(stream: Writable, name: string, scope: CancelScope) {
    this.stream = stream;
    this.#name = name;
    this.#scope = scope;
    stream.on('error', (error: Error) => {
      if (this.mayClose && isBrokenPipe(error)) this.#closed = true;
      else this.#error = error;
      // Whoever waits for drain must not wait for ever.
      stream.emit('drain');
    });
  }

  /** True where a reader may go away. */
  protected abstract readonly mayClose: boolean;

  abstract abandon(): Promise<void>;

  get closed(): boolean {
    return this.#closed;
  }

  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.#closed) return;
      this.check();
      if (!this.stream.write(chunk)) await this.#scope.wait(once(this.stream, 'drain'));
    }
    this.check();
  }

  async finish(): Promise<void> {
    this.check();
    if (!this.#closed) await this.#scope.wait(this.flush());
    this.check();
  }

  /** Settles when what was written has left, or an error has been told. */
  protected abstract flush(): Promise<void>;

  protected check(): void {
    if (this.#error !== undefined) {
      throw new DistqError('data_source', `${this.#name} cannot be written: ${this.#error.message}`, {
        cause: this.#error,
      });
    }
  }
}

/** Stdout is not ended; what it holds leaves before the process does. */
class StreamOutput extends WritableOutput {
  protected readonly mayClose = true;

  constructor(stream: Writable, scope: CancelScope) {
    super(stream, 'the output', scope);
  }

  protected flush(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.stream.write('', () => {
        resolve();
      });
    });
  }

  async abandon(): Promise<void> {
    // What stands on a stream stands.
  }
}

/** Writes beside the target and renames at the end, so that a failed query never leaves half a file under the name. */
class FileOutput extends WritableOutput {
  protected readonly mayClose = false;
  readonly #path: string;
  readonly #temporary: string;

  constructor(path: string, scope: CancelScope) {
    const temporary = `${path}.${process.pid}.part`;
    super(createWriteStream(temporary, { flags: 'wx' }), path, scope);
    this.#path = path;
    this.#temporary = temporary;
  }

  protected flush(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.stream.end(() => {
        resolve();
      });
      this.stream.once('error', () => {
        resolve();
      });
    });
  }

  override async finish(): Promise<void> {
    await super.finish();
    await rename(this.#temporary, this.#path);
  }

  async abandon(): Promise<void> {
    this.stream.destroy();
    await rm(this.#temporary, { force: true });
  }
}

/**
 * Where the answer goes: stdout, or the file of `--output`, of which an existing one needs `--force` (`config` error otherwise). A
 * cancel of `scope` ends the wait for a reader that does not read.
 */
export async function outputOf(
  flags: { readonly output?: string; readonly force?: true },
  scope: CancelScope,
): Promise<Output> {
  const { output: path, force } = flags;
  if (path === undefined) return new StreamOutput(process.stdout, scope);
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory() === true) {
    throw new DistqError('config', `-o names a directory: ${path}`, { hint: 'name a file' });
  }
  if (existing !== undefined && force !== true) {
    throw new DistqError('config', `${path} exists already`, { hint: 'add --force to overwrite it' });
  }
  return new FileOutput(path, scope);
}

/** Waits until stdout has taken what was written, at most `deadlineMs`: a reader that does not read must not keep the process. */
export async function stdoutDrained(deadlineMs: number): Promise<void> {
  if (process.stdout.writableLength === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, deadlineMs);
    process.stdout.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
