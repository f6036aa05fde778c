import { DistqError } from '../base/errors.js';

/** One accounted user of memory: an operator in a task, an exchange, a cache. */
export interface MemoryConsumer {
  readonly name: string;
  readonly usedBytes: number;
  readonly peakBytes: number;
  /** Accounts `bytes` more, or throws `resources_exhausted` naming the top consumers and the setting. */
  grow(bytes: number): void;
  /** Accounts `bytes` more if the budget allows. */
  tryGrow(bytes: number): boolean;
  shrink(bytes: number): void;
  /** Gives everything back and leaves the pool. */
  release(): void;
}

/** The memory budget of one worker process, shared by all tasks it hosts. */
export class MemoryPool {
  #limitBytes: number;
  #usedBytes = 0;
  #peakBytes = 0;
  readonly #consumers = new Set<PoolConsumer>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Sets another limit; what is used already stays, and only more of it is refused. */
  resize(limitBytes: number): void {
    this.#limitBytes = limitBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** A new consumer; `name` is what an error shows, for example `HashJoinExec (build) in stage 3 task 1`. */
  register(name: string): MemoryConsumer {
    const consumer = new PoolConsumer(name, this);
    this.#consumers.add(consumer);
    return consumer;
  }

  /** @internal */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#limitBytes) return false;
    this.#usedBytes += bytes;
    if (this.#usedBytes > this.#peakBytes) this.#peakBytes = this.#usedBytes;
    return true;
  }

  /** @internal */
  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }

  /** @internal */
  leave(consumer: PoolConsumer): void {
    this.#consumers.delete(consumer);
  }

  /** Names of consumers that still hold bytes, for leak checks. */
  holders(): string[] {
    return [...this.#consumers].filter((c) => c.usedBytes > 0).map((c) => `${c.name}: ${c.usedBytes} bytes`);
  }

  exhausted(asking: string, bytes: number): DistqError {
    const top = [...this.#consumers]
      .filter((c) => c.usedBytes > 0)
      .sort((a, b) => b.usedBytes - a.usedBytes)
      .slice(0, 3)
      .map((c) => `${c.name} ${mebibytes(c.usedBytes)}`)
      .join(', ');
    return new DistqError(
      'resources_exhausted',
      `the memory budget of ${mebibytes(this.limitBytes)} is used up: ${asking} asked for ${mebibytes(bytes)} more` +
        (top === '' ? '' : `; top consumers: ${top}`),
      { hint: 'raise --memory' },
    );
  }
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

class PoolConsumer implements MemoryConsumer {
  readonly name: string;
  readonly #pool: MemoryPool;
  #usedBytes = 0;
  #peakBytes = 0;

  constructor(name: string, pool: MemoryPool) {
    this.name = name;
    this.#pool = pool;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  grow(bytes: number): void {
    if (!this.tryGrow(bytes)) throw this.#pool.exhausted(this.name, bytes);
  }

  tryGrow(bytes: number): boolean {
    if (!this.#pool.take(bytes)) return false;
    this.#usedBytes += bytes;
    if (this.#usedBytes > this.#peakBytes) this.#peakBytes = this.#usedBytes;
    return true;
  }

  shrink(bytes: number): void {
    this.#usedBytes -= bytes;
    this.#pool.give(bytes);
  }

  release(): void {
    this.shrink(this.#usedBytes);
    this.#pool.leave(this);
  }
}
