import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
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

class StreamOutput implements Output {
  readonly #stream: Writable;
  #error: Error | undefined;
  #closed = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error: Error) => {
      if (isBrokenPipe(error)) this.#closed = true;
      else this.#error = error;
      // Whoever waits for drain must not wait for ever.
      stream.emit('drain');
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.#closed) return;
      this.#check();
      if (!this.#stream.write(chunk)) await once(this.#stream, 'drain');
    }
    this.#check();
  }

  async finish(): Promise<void> {
    this.#check();
    // Stdout is not ended; what is buffered leaves before the process does, since only process.exitCode is set.
    await new Promise<void>((resolve) => {
      if (this.#closed) resolve();
      else
        this.#stream.write('', () => {
          resolve();
        });
    });
    this.#check();
  }

  async abandon(): Promise<void> {
    // What stands on a stream stands.
  }

  #check(): void {
    if (this.#error !== undefined) {
      throw new DistqError('data_source', `the output cannot be written: ${this.#error.message}`, {
        cause: this.#error,
      });
    }
  }
}

/** Writes beside the target and renames at the end, so that a failed query never leaves half a file under the name. */
class FileOutput implements Output {
  readonly closed = false;
  readonly #path: string;
  readonly #temporary: string;
  readonly #stream: Writable;
  #error: Error | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = `${path}.${process.pid}.part`;
    this.#stream = createWriteStream(this.#temporary, { flags: 'wx' });
    this.#stream.on('error', (error: Error) => {
      this.#error = error;
      this.#stream.emit('drain');
    });
  }

  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      this.#check();
      if (!this.#stream.write(chunk)) await once(this.#stream, 'drain');
    }
    this.#check();
  }

  async finish(): Promise<void> {
    this.#check();
    await new Promise<void>((resolve) => {
      this.#stream.end(() => {
        resolve();
      });
      this.#stream.once('error', () => {
        resolve();
      });
    });
    this.#check();
    await rename(this.#temporary, this.#path);
  }

  async abandon(): Promise<void> {
    this.#stream.destroy();
    await rm(this.#temporary, { force: true });
  }

  #check(): void {
    if (this.#error !== undefined) {
      throw new DistqError('data_source', `${this.#path} cannot be written: ${this.#error.message}`, {
        cause: this.#error,
      });
    }
  }
}

export function stdoutOutput(): Output {
  return new StreamOutput(process.stdout);
}

/** A file to write; an existing one needs `force`. `config` error otherwise. */
export async function fileOutput(path: string, force: boolean): Promise<Output> {
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory() === true) {
    throw new DistqError('config', `-o names a directory: ${path}`, { hint: 'name a file' });
  }
  if (existing !== undefined && !force) {
    throw new DistqError('config', `${path} exists already`, { hint: 'add --force to overwrite it' });
  }
  return new FileOutput(path);
}
