import { Arena } from '../../columnar/arena.js';
import { BLOCK_BYTES, MAX_BLOCK_BYTES } from '../../columnar/block-allocator.js';
import { DistqError } from '../../base/errors.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';

const PADDING = 64;
/** Free buffers kept for reuse. */
const MOST_FREE = 32;

/** Largest buffer there is. */
export const MAX_BUFFER_BYTES: number = MAX_BLOCK_BYTES - PADDING;

/** A piece of the heap, 64-byte aligned, with 64 more bytes behind its capacity that may be read and written. */
export interface PooledBuffer {
  readonly address: number;
  readonly capacity: number;
}

/** Buffers of one stream, accounted with its consumer; given ones are used again before new ones are made. */
export class BufferPool {
  readonly #consumer: MemoryConsumer;
  readonly #arenas = new Map<PooledBuffer, Arena>();
  readonly #free: PooledBuffer[] = [];
  #closed = false;

  constructor(consumer: MemoryConsumer) {
    this.#consumer = consumer;
  }

  /** A buffer of at least `bytes`; its content is arbitrary. `resources_exhausted` beyond the largest block. */
  take(bytes: number): PooledBuffer {
    // What waited for a read when its stream was closed goes no further.
    if (this.#closed) throw new DistqError('cancelled', 'the scan was closed');
    let best = -1;
    for (let i = 0; i < this.#free.length; i++) {
      const { capacity } = this.#free[i]!;
      if (capacity >= bytes && (best < 0 || capacity < this.#free[best]!.capacity)) best = i;
    }
    const found = this.#free[best];
    // A far larger one is left for those who need it.
    if (found !== undefined && found.capacity <= 8 * Math.max(bytes, BLOCK_BYTES)) {
      this.#free.splice(best, 1);
      return found;
    }
    if (bytes > MAX_BUFFER_BYTES) {
      throw new DistqError(
        'resources_exhausted',
        `a piece of ${bytes} bytes is larger than the 64 MiB the engine holds at once`,
      );
    }
    let block = BLOCK_BYTES;
    while (block - PADDING < bytes) block *= 2;
    const arena = new Arena(this.#consumer);
    const capacity = block - PADDING;
    const buffer = { address: arena.alloc(capacity), capacity };
    this.#arenas.set(buffer, arena);
    return buffer;
  }

  give(buffer: PooledBuffer): void {
    if (this.#free.length < MOST_FREE) {
      this.#free.push(buffer);
      return;
    }
    this.#arenas.get(buffer)?.free();
    this.#arenas.delete(buffer);
  }

  /** Frees every buffer, taken ones too. */
  close(): void {
    this.#closed = true;
    for (const arena of this.#arenas.values()) arena.free();
    this.#arenas.clear();
    this.#free.length = 0;
  }

  /** Like `close`, but the memory is given back only when `done` settles; it is no longer accounted from now on. */
  async closeAfter(done: Promise<unknown>): Promise<void> {
    this.#closed = true;
    const leftovers = new Arena();
    for (const arena of this.#arenas.values()) leftovers.adopt(arena);
    this.#arenas.clear();
    this.#free.length = 0;
    try {
      await done;
    } finally {
      leftovers.free();
    }
  }
}
