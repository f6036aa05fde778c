import { heap } from '../../columnar/heap.js';
import type { BufferPool, PooledBuffer } from '../files/buffer-pool.js';
import type { OpenFile } from '../files/open-file.js';

/** Read at a time: large enough for the system's read-ahead, small enough that many columns of many streams fit. */
const WINDOW_BYTES = 512 * 1024;

/** A byte range of a file, read front to back through a window in the heap. */
export class ChunkInput {
  readonly #file: OpenFile;
  readonly #pool: BufferPool;
  readonly #end: number;
  #buffer: PooledBuffer | null = null;
  /** File position of the window's first byte, and how many bytes of the file it holds. */
  #start: number;
  #length = 0;
  #position: number;
  #pending: Promise<void> | null = null;
  #bytesRead = 0;

  constructor(file: OpenFile, pool: BufferPool, start: number, end: number) {
    this.#file = file;
    this.#pool = pool;
    this.#start = start;
    this.#position = start;
    this.#end = end;
  }

  /** File position of the next byte. */
  get position(): number {
    return this.#position;
  }

  /** Bytes from here to the end of the range. */
  get remaining(): number {
    return this.#end - this.#position;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** A read that is under way, which writes to the heap until it settles. */
  get pending(): Promise<void> | null {
    return this.#pending;
  }

  /** Bytes from here on that lie in the window. */
  get available(): number {
    return this.#start + this.#length - this.#position;
  }

  /** Heap address of the next byte; may be read 64 bytes past what is available. */
  get address(): number {
    return this.#buffer === null ? 0 : this.#buffer.address + (this.#position - this.#start);
  }

  /** Brings the next `bytes` bytes (at most `remaining`) into the window. Undefined when they are there, else a promise. */
  require(bytes: number): Promise<void> | undefined {
    const kept = this.available;
    if (kept >= bytes) return undefined;
    const wanted = Math.min(Math.max(bytes, WINDOW_BYTES), this.remaining);
    const from = this.address;
    let buffer = this.#buffer;
    if (buffer === null || buffer.capacity < wanted) {
      buffer = this.#pool.take(wanted);
      heap.u8.copyWithin(buffer.address, from, from + kept);
      if (this.#buffer !== null) this.#pool.give(this.#buffer);
      this.#buffer = buffer;
    } else if (kept > 0) {
      heap.u8.copyWithin(buffer.address, from, from + kept);
    }
    this.#start = this.#position;
    this.#length = kept;
    const target = heap.u8.subarray(buffer.address + kept, buffer.address + wanted);
    this.#bytesRead += target.length;
    const pending = this.#file.read(this.#position + kept, target);
    if (pending === undefined) {
      this.#length = wanted;
      return undefined;
    }
    this.#pending = pending.then(
      () => {
        this.#length = wanted;
        this.#pending = null;
      },
      (error: unknown) => {
        this.#pending = null;
        throw error;
      },
    );
    return this.#pending;
  }

  advance(bytes: number): void {
    this.#position += bytes;
  }

  /** Gives the window back; not while a read is pending. */
  close(): void {
    if (this.#buffer !== null) this.#pool.give(this.#buffer);
    this.#buffer = null;
    this.#length = 0;
  }
}
