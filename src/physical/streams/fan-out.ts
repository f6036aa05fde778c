import type { CancelScope } from '../../base/cancel-scope.js';
import { type Deferred, deferred } from '../../base/deferred.js';
import type { DistqError } from '../../base/errors.js';

/** Nothing having left any queue for so long, an empty output whose consumer waits is being starved. */
const STARVING_MS = 5;

/** One piece on its way through a fan-out; `bytes` count against the bound, `drop` frees it unread. */
export interface FanOutChunk {
  readonly bytes: number;
  drop(): void;
}

/** Time as the gate sees it; tests give their own. */
export interface FanOutClock {
  now(): number;
  /** Calls back once after so many ms; returns what takes the call back. */
  after(milliseconds: number, callback: () => void): () => void;
}

const CLOCK: FanOutClock = {
  now: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

interface Output<Chunk> {
  readonly queue: Chunk[];
  bytes: number;
  /** Set while the consumer's pull is pending. */
  waiting: Deferred<undefined> | undefined;
  closed: boolean;
}

/**
 * The queues of a fan-out, one per output stream, and the gate of engine rule 2.1: the producer parks while an output is over its bound,
 * unless another one is starving (it is empty, its consumer waits, and nothing has left any queue for 5 ms); then one more window is
 * admitted, doubled each time in a row. So a consumer that reads outputs in a data-dependent order cannot deadlock, and a slow one is
 * still held to the bound.
 */
export class FanOut<Chunk extends FanOutChunk> {
  readonly #outputs: Output<Chunk>[];
  readonly #boundBytes: number;
  #limitBytes: number;
  /** Windows admitted since anything last left a queue. */
  #admitted = 0;
  #lastTakeMs: number;
  /** Since when some output has been starving while the producer was parked; a wish that comes and goes starts anew. */
  #starvingSinceMs: number | null = null;
  readonly #clock: FanOutClock;
  #changed: Deferred<undefined> | undefined;
  readonly #isWish: (index: number) => boolean;
  #ended = false;
  #error: DistqError | undefined;

  /** `isWish` says of an output whose pull is pending whether somebody really waits; `poke` tells that it may say otherwise now. */
  constructor(
    outputs: number,
    boundBytes: number,
    { clock = CLOCK, isWish = () => true }: { clock?: FanOutClock; isWish?: (index: number) => boolean } = {},
  ) {
    this.#clock = clock;
    this.#isWish = isWish;
    this.#lastTakeMs = clock.now();
    this.#outputs = Array.from({ length: outputs }, () => ({
      queue: [],
      bytes: 0,
      waiting: undefined,
      closed: false,
    }));
    this.#boundBytes = boundBytes;
    this.#limitBytes = boundBytes;
  }

  get allClosed(): boolean {
    return this.#outputs.every((output) => output.closed);
  }

  isClosed(index: number): boolean {
    return this.#outputs[index]!.closed;
  }

  /** Whether the output's consumer waits for rows that are not there. */
  isHungry(index: number): boolean {
    const output = this.#outputs[index]!;
    return output.waiting !== undefined && output.queue.length === 0 && this.#isWish(index);
  }

  /** A wish came up or was withdrawn: a parked producer looks again. */
  poke(): void {
    this.#change();
  }

  /** Bytes queued over all outputs. */
  get queuedBytes(): number {
    return this.#outputs.reduce((sum, output) => sum + output.bytes, 0);
  }

  /** Appends a chunk; a closed output drops it. */
  push(index: number, chunk: Chunk): void {
    const output = this.#outputs[index]!;
    if (output.closed) {
      chunk.drop();
      return;
    }
    output.queue.push(chunk);
    output.bytes += chunk.bytes;
    output.waiting?.resolve(undefined);
  }

  /**
   * Resolves when the producer may go on. `onStarving` is called when an output starves, before more is admitted: what is gathered for
   * it and not yet pushed can be pushed there.
   */
  async ready(scope: CancelScope, onStarving: () => void): Promise<void> {
    while (true) {
      scope.throwIfCancelled();
      if (!this.#overBound(this.#limitBytes)) return;
      let stop: (() => void) | undefined;
      if (!this.#isStarving()) {
        this.#starvingSinceMs = null;
      } else {
        this.#starvingSinceMs ??= this.#clock.now();
        const idleMs = this.#clock.now() - Math.max(this.#lastTakeMs, this.#starvingSinceMs);
        if (idleMs >= STARVING_MS) {
          onStarving();
          if (!this.#isStarving()) continue;
          const fullest = this.#outputs.reduce(
            (most, output) => (output.closed ? most : Math.max(most, output.bytes)),
            0,
          );
          this.#limitBytes = fullest + this.#boundBytes * 2 ** this.#admitted;
          this.#admitted++;
          this.#lastTakeMs = this.#clock.now();
          continue;
        }
        stop = this.#clock.after(STARVING_MS - idleMs, () => {
          this.#change();
        });
      }
      this.#changed ??= deferred();
      try {
        await scope.wait(this.#changed.promise);
      } finally {
        stop?.();
      }
    }
  }

  /** The next chunk of an output, or undefined at its end. The producer's error is thrown once the queue is empty. */
  async take(index: number, scope: CancelScope): Promise<Chunk | undefined> {
    const output = this.#outputs[index]!;
    while (true) {
      scope.throwIfCancelled();
      const chunk = output.queue.shift();
      if (chunk !== undefined) {
        output.bytes -= chunk.bytes;
        this.#lastTakeMs = this.#clock.now();
        // Something drains: the bound is the old one again.
        this.#limitBytes = this.#boundBytes;
        this.#admitted = 0;
        this.#change();
        return chunk;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended || output.closed) return undefined;
      output.waiting = deferred();
      this.#change();
      try {
        await scope.wait(output.waiting.promise);
      } finally {
        output.waiting = undefined;
      }
    }
  }

  /** The output's consumer is gone: its rows are dropped from now on and it counts as satisfied. */
  close(index: number): void {
    const output = this.#outputs[index]!;
    if (output.closed) return;
    output.closed = true;
    for (const chunk of output.queue) chunk.drop();
    output.queue.length = 0;
    output.bytes = 0;
    output.waiting?.resolve(undefined);
    this.#change();
  }

  /** No more chunks come. */
  end(): void {
    this.#ended = true;
    this.#wakeAll();
  }

  /** The producer failed: every consumer is told. */
  fail(error: DistqError): void {
    this.#error ??= error;
    this.#wakeAll();
  }

  /** Drops everything that is queued. */
  free(): void {
    for (let index = 0; index < this.#outputs.length; index++) this.close(index);
  }

  #wakeAll(): void {
    for (const output of this.#outputs) output.waiting?.resolve(undefined);
    this.#change();
  }

  #overBound(limit: number): boolean {
    return this.#outputs.some((output) => !output.closed && output.bytes > limit);
  }

  #isStarving(): boolean {
    return this.#outputs.some((output, index) => !output.closed && this.isHungry(index));
  }

  #change(): void {
    this.#changed?.resolve(undefined);
    this.#changed = undefined;
  }
}
