import { CancelScope } from '../base/cancel-scope.js';
import { DistqError, invariant } from '../base/errors.js';
import type { MetricsRecorder } from '../base/metrics.js';
import { Arena } from '../columnar/arena.js';
import { keep } from '../columnar/keep.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { ExecutionPlan } from './execution-plan.js';
import type { RecordBatchStream } from './task-context.js';
import { pace } from '../base/time-slice.js';

/** The reason of a scope whose stream was closed by its consumer: an end, not an error. */
const CLOSED = new DistqError('cancelled', 'closed by its consumer');

/** Old poisoned batches stay overwritten and unused for so many pulls. */
const POISON_PULLS = 8;

/** The debug modes of the wrapper (engine rules, section 12). */
export interface StreamDebug {
  readonly poison: boolean;
  /** Random turns of the event loop before and after each pull, or null. */
  readonly random: (() => number) | null;
}

/** A stream that is being pulled adds its time to the one that pulls it, so that each can tell its own. */
export interface PullTimer {
  childMs: number;
}

export interface StreamOptions {
  readonly plan: ExecutionPlan;
  readonly partition: number;
  readonly parentScope: CancelScope;
  readonly metrics: MetricsRecorder;
  readonly debug: StreamDebug;
  readonly parentTimer: PullTimer | null;
  /** Makes the operator's stream under the given scope; called at the first pull. */
  readonly start: (scope: CancelScope, timer: PullTimer) => AsyncIterable<RecordBatch>;
}

/**
 * The wrapper around every `execute` (engine rules, words): it starts the operator at the first pull, counts rows, batches and time,
 * paces the event loop, owns the stream's cancel scope and carries the debug modes. Closing cancels the scope first, so that no wait
 * inside outlives it, and then closes the operator.
 */
export class InstrumentedStream implements RecordBatchStream, PullTimer {
  childMs = 0;
  readonly #options: StreamOptions;
  readonly #scope: CancelScope;
  #inner: AsyncIterator<RecordBatch> | undefined;
  #pending: Promise<IteratorResult<RecordBatch>> | undefined;
  #state: 'new' | 'open' | 'done' = 'new';
  readonly #poisoned: Arena[] = [];
  #handedOver: Arena | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#scope = options.parentScope.child();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<RecordBatch>> {
    invariant(
      this.#pending === undefined,
      `${this.#options.plan.name}: pulled while a pull is pending (partition ${this.#options.partition})`,
    );
    if (this.#state === 'done') return Promise.resolve({ done: true, value: undefined });
    const pull = this.#pull();
    this.#pending = pull;
    return pull;
  }

  async return(): Promise<IteratorResult<RecordBatch>> {
    if (this.#state !== 'done') {
      const started = this.#state === 'open';
      this.#state = 'done';
      this.#scope.cancel(CLOSED);
      // A pull that is still under way is woken by the cancel; its outcome was told to whoever pulled.
      await this.#pending?.catch(() => undefined);
      if (started) await this.#closeInner();
      this.#finish();
    }
    return { done: true, value: undefined };
  }

  async #closeInner(): Promise<void> {
    try {
      await this.#inner?.return?.();
    } catch (error) {
      // Clean-up must not replace the root cause; an echo of our own cancel is no error at all.
      if (error !== CLOSED && error instanceof DistqError && error.kind === 'internal') throw error;
    }
  }

  async #pull(): Promise<IteratorResult<RecordBatch>> {
    const { debug, metrics } = this.#options;
    try {
      const turn = pace();
      if (turn !== undefined) await turn;
      if (debug.random !== null) await idle(debug.random);
      this.#scope.throwIfCancelled();
      if (this.#inner === undefined) {
        this.#state = 'open';
        metrics.touch();
        this.#inner = this.#options.start(this.#scope, this)[Symbol.asyncIterator]();
      }
      if (debug.poison) this.#poison();
      const result = await this.#timed(this.#inner);
      if (debug.random !== null) await idle(debug.random);
      if (result.done === true) {
        this.#finish();
        return { done: true, value: undefined };
      }
      metrics.add('output_rows', result.value.numRows);
      metrics.add('output_batches', 1);
      return { done: false, value: debug.poison ? this.#handOver(result.value) : result.value };
    } catch (error) {
      const closed = this.#scope.reason === CLOSED;
      // A cancel between two pulls finds the operator waiting to go on: it never will, so it must clean up now.
      await this.#closeInner().catch(() => undefined);
      this.#finish();
      if (closed) return { done: true, value: undefined };
      throw error;
    } finally {
      this.#pending = undefined;
    }
  }

  async #timed(inner: AsyncIterator<RecordBatch>): Promise<IteratorResult<RecordBatch>> {
    const { metrics, parentTimer } = this.#options;
    const childBefore = this.childMs;
    const startMs = performance.now();
    try {
      return await inner.next();
    } finally {
      const totalMs = performance.now() - startMs;
      const ownMs = Math.max(0, totalMs - (this.childMs - childBefore));
      metrics.add('elapsed_compute', Math.round(ownMs * 1e6), 'time');
      if (parentTimer !== null) parentTimer.childMs += totalMs;
    }
  }

  #finish(): void {
    this.#state = 'done';
    this.#scope.release();
    this.#handedOver?.free();
    this.#handedOver = undefined;
    for (const arena of this.#poisoned) arena.free();
    this.#poisoned.length = 0;
  }

  #handOver(batch: RecordBatch): RecordBatch {
    const arena = new Arena();
    this.#handedOver = arena;
    return keep(batch, arena);
  }

  /** Overwrites what was handed over at the last pull and keeps it out of use for a while. */
  #poison(): void {
    if (this.#handedOver === undefined) return;
    this.#handedOver.overwrite(0xdd);
    this.#poisoned.push(this.#handedOver);
    this.#handedOver = undefined;
    if (this.#poisoned.length > POISON_PULLS) this.#poisoned.shift()?.free();
  }
}

/** Zero to three turns of the event loop. */
async function idle(random: () => number): Promise<void> {
  for (let turns = Math.floor(random() * 4); turns > 0; turns--) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Closes streams that may be in any state; never throws. */
export async function closeAll(streams: readonly RecordBatchStream[]): Promise<void> {
  await Promise.allSettled(streams.map((stream) => stream.return()));
}
