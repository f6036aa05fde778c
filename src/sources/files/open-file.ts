import { close, closeSync, fstat, fstatSync, open, openSync, read, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dataError, systemError } from './data-error.js';

/** Data files open at once in this process; beyond that the least recently read one is closed and opened again when needed. */
const MAX_OPEN_FILES = 128;
/** A warm read is faster in place (a thread costs more than the copy); one that takes longer than this stalls the event loop. */
const SLOW_READ_MS = 1;
const MS_PER_BYTE = 1e-6;
const FEWEST_DETOURS = 32;
const MOST_DETOURS = 4096;

/**
 * Decides, for the whole process, whether files are read in place or on Node's threads: in place while that is quick (the page cache
 * answers), otherwise on threads for a while before trying again.
 */
class ReadMode {
  #detoursLeft = 0;
  #detours = FEWEST_DETOURS;

  get inPlace(): boolean {
    return this.#detoursLeft === 0;
  }

  inPlaceTook(ms: number, bytes: number): void {
    if (ms > SLOW_READ_MS + bytes * MS_PER_BYTE) {
      this.#detoursLeft = this.#detours;
      this.#detours = Math.min(this.#detours * 2, MOST_DETOURS);
    } else {
      this.#detours = FEWEST_DETOURS;
    }
  }

  detourTaken(): void {
    if (this.#detoursLeft > 0) this.#detoursLeft--;
  }
}

const mode = new ReadMode();

/** What identifies the state of a file: two equal ones mean that nobody wrote in between. */
interface FileState {
  readonly size: number;
  readonly modifiedMs: number;
}

/** Least recently used first. Only files with an open descriptor that no read is using may be closed. */
const openFiles = new Set<OpenFile>();

/** A file for positioned reads. Close it when done; reading a file that changed since it was opened is a `data_source` error. */
export class OpenFile {
  readonly path: string;
  readonly size: number;
  /** Modification time in ms, with its fraction. */
  readonly modifiedMs: number;
  #descriptor: number;
  #readsInFlight = 0;
  #closed = false;

  private constructor(path: string, descriptor: number, state: FileState) {
    this.path = path;
    this.size = state.size;
    this.modifiedMs = state.modifiedMs;
    this.#descriptor = descriptor;
    this.#register();
  }

  static async open(path: string): Promise<OpenFile> {
    const { descriptor, stats } = await openDescriptor(path);
    if (!stats.isFile()) {
      closeQuietly(descriptor);
      throw dataError(path, stats.isDirectory() ? 'it is a directory' : 'it is not a regular file');
    }
    return new OpenFile(path, descriptor, stateOf(stats));
  }

  /**
   * Fills `target` from `position` on. Undefined when done at once, else a promise; either way `target` belongs to the read until then,
   * and the file must not be closed before.
   */
  read(position: number, target: Uint8Array): Promise<void> | undefined {
    if (this.#descriptor >= 0 && mode.inPlace) {
      openFiles.delete(this);
      openFiles.add(this);
      this.#readInPlace(position, target);
      return undefined;
    }
    return this.#readOnThread(position, target);
  }

  /** Closes the descriptor, once pending reads are done. Never throws. */
  close(): void {
    this.#closed = true;
    if (this.#readsInFlight === 0) this.#release();
  }

  #readInPlace(position: number, target: Uint8Array): void {
    const start = performance.now();
    let done = 0;
    try {
      while (done < target.length) {
        const bytes = readSync(this.#descriptor, target, done, target.length - done, position + done);
        if (bytes === 0) throw this.#endedEarly(position + done);
        done += bytes;
      }
    } catch (error) {
      throw systemError(this.path, error);
    }
    mode.inPlaceTook(performance.now() - start, target.length);
  }

  async #readOnThread(position: number, target: Uint8Array): Promise<void> {
    mode.detourTaken();
    this.#readsInFlight++;
    try {
      if (this.#descriptor < 0) await this.#reopen();
      openFiles.delete(this);
      openFiles.add(this);
      let done = 0;
      while (done < target.length) {
        const bytes = await readPart(this.#descriptor, target, done, position + done);
        if (bytes === 0) throw this.#endedEarly(position + done);
        done += bytes;
      }
    } catch (error) {
      throw systemError(this.path, error);
    } finally {
      this.#readsInFlight--;
      if (this.#closed && this.#readsInFlight === 0) this.#release();
    }
  }

  async #reopen(): Promise<void> {
    const { descriptor, stats } = await openDescriptor(this.path);
    if (this.#descriptor >= 0) {
      closeQuietly(descriptor);
      return;
    }
    this.#descriptor = descriptor;
    this.#register();
    this.expect(stateOf(stats));
  }

  /** A `data_source` error unless the file's state, as opened, is the one given. */
  expect(state: FileState): void {
    if (!this.#isState(state)) throw this.#changed();
  }

  /**
   * A `data_source` error when somebody wrote to the file since it was opened: what was read may be neither what it was nor what it
   * is. Also the better explanation of an error met while reading. A file that another one replaced under its name is still whole.
   */
  verifyUnchanged(cause?: unknown): void {
    let stats: Stats;
    try {
      if (this.#descriptor < 0) return;
      stats = fstatSync(this.#descriptor);
    } catch (error) {
      throw systemError(this.path, error);
    }
    if (!this.#isState(stateOf(stats))) throw this.#changed(cause);
  }

  #isState({ size, modifiedMs }: FileState): boolean {
    return size === this.size && modifiedMs === this.modifiedMs;
  }

  #changed(cause?: unknown): Error {
    const details = { hint: 'run the query again', ...(cause === undefined ? {} : { cause }) };
    return dataError(this.path, 'the file changed while the query was running', {}, details);
  }

  #endedEarly(position: number): Error {
    return dataError(
      this.path,
      `the file ends at byte ${position}, but had ${this.size} bytes when it was opened`,
      {},
      {
        hint: 'it changed while the query was running: run the query again',
      },
    );
  }

  #register(): void {
    if (openFiles.size >= MAX_OPEN_FILES) {
      for (const file of openFiles) {
        if (file.#readsInFlight > 0) continue;
        file.#release();
        break;
      }
    }
    openFiles.add(this);
  }

  #release(): void {
    openFiles.delete(this);
    if (this.#descriptor < 0) return;
    closeQuietly(this.#descriptor);
    this.#descriptor = -1;
  }
}

function stateOf(stats: Stats): FileState {
  return { size: stats.size, modifiedMs: stats.mtimeMs };
}

async function openDescriptor(path: string): Promise<{ descriptor: number; stats: Stats }> {
  let descriptor = -1;
  try {
    if (mode.inPlace) {
      const start = performance.now();
      descriptor = openSync(path, 'r');
      const stats = fstatSync(descriptor);
      mode.inPlaceTook(performance.now() - start, 0);
      return { descriptor, stats };
    }
    mode.detourTaken();
    descriptor = await new Promise<number>((resolve, reject) => {
      open(path, 'r', (error, opened) => {
        if (error === null) resolve(opened);
        else reject(error);
      });
    });
    const opened = descriptor;
    const stats = await new Promise<Stats>((resolve, reject) => {
      fstat(opened, (error, result) => {
        if (error === null) resolve(result);
        else reject(error);
      });
    });
    return { descriptor, stats };
  } catch (error) {
    if (descriptor >= 0) closeQuietly(descriptor);
    throw systemError(path, error);
  }
}

function readPart(descriptor: number, target: Uint8Array, offset: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, target, offset, target.length - offset, position, (error, bytes) => {
      if (error === null) resolve(bytes);
      else reject(error);
    });
  });
}

function closeQuietly(descriptor: number): void {
  if (mode.inPlace) {
    try {
      closeSync(descriptor);
    } catch {
      // A file that was only read has nothing left to lose.
    }
    return;
  }
  close(descriptor, () => undefined);
}
