import { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError, DistqError, invariant } from '../../base/errors.js';
import { Job } from '../../base/job.js';
import { Arena } from '../../columnar/arena.js';
import { keep } from '../../columnar/keep.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { FanOut, type FanOutChunk } from '../../physical/streams/fan-out.js';
import type { TaskContext } from '../../physical/task-context.js';
import type { BroadcastExec } from './broadcast-exec.js';

/** How far the fastest consumer of an input partition may be ahead of the slowest, unless it starves. */
const BOUND_BYTES = 16 * 1024 * 1024;
/** Batches are kept together in pages of about this size, so that small ones do not take a block each. */
const PAGE_BYTES = 1024 * 1024;

/**
 * One virtual partition: the rows of an input partition as one consumer task reads them. All consumers of an input partition share one
 * pump (engine rules 2.3, 2.8; T17); batches live until the last consumer has passed them or is gone.
 */
export async function* broadcastStream(
  node: BroadcastExec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const input = node.inputPartition(partition);
  const pump = context.shared(node, `input ${input}`, () => new BroadcastPump(node, input, context));
  yield* pump.output(node.consumer(partition), context);
}

/** Kept batches that are freed together, once nobody needs any of them. */
class Page {
  readonly arena: Arena;
  #holders = 1;

  constructor(memory: MemoryConsumer) {
    this.arena = new Arena(memory);
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    this.#holders--;
    if (this.#holders === 0) this.arena.free();
  }
}

/** A kept batch on its way to one consumer. */
class SharedBatch implements FanOutChunk {
  readonly batch: RecordBatch;
  readonly bytes: number;
  readonly #page: Page;

  constructor(batch: RecordBatch, bytes: number, page: Page) {
    this.batch = batch;
    this.bytes = bytes;
    this.#page = page;
    page.hold();
  }

  drop(): void {
    this.#page.release();
  }
}

/** The one job that reads an input partition of a broadcast, started by whoever asks first, stopped when the last consumer is gone. */
class BroadcastPump {
  readonly #node: BroadcastExec;
  readonly #input: number;
  readonly #context: TaskContext;
  readonly #scope: CancelScope;
  readonly #memory: MemoryConsumer;
  readonly #fanOut: FanOut<SharedBatch>;
  readonly #opened = new Set<number>();
  /** What is being filled. */
  #page: Page;
  #job: Job<undefined> | undefined;

  constructor(node: BroadcastExec, input: number, context: TaskContext) {
    this.#node = node;
    this.#input = input;
    this.#scope = new CancelScope(context.taskScope);
    this.#context = context.withScope(this.#scope);
    this.#memory = context.memory(node);
    const bound = context.config.get('debug.windows') === 'tiny' ? 1 : BOUND_BYTES;
    const wishes = context.wishes(node);
    const inputs = node.input.properties.partitioning.count;
    const isWish = (consumer: number): boolean => wishes?.wanted(consumer * inputs + input) ?? true;
    this.#fanOut = new FanOut(node.consumerTasks, bound, { isWish });
    wishes?.onChange(() => {
      this.#fanOut.poke();
    });
    this.#page = new Page(this.#memory);
    context.atEnd(() => {
      this.#scope.cancel();
      this.#fanOut.free();
      this.#page.arena.free();
      this.#memory.release();
    });
  }

  async *output(consumer: number, context: TaskContext): AsyncGenerator<RecordBatch, void, undefined> {
    invariant(!this.#opened.has(consumer), `consumer ${consumer} reads a broadcast twice`);
    this.#opened.add(consumer);
    this.#job ??= Job.start(() => this.#run(), this.#scope);
    try {
      for (;;) {
        const shared = await context.waiting(this.#fanOut.take(consumer, context.scope));
        if (shared === undefined) return;
        try {
          yield shared.batch;
        } finally {
          shared.drop();
        }
      }
    } finally {
      this.#fanOut.close(consumer);
      if (this.#fanOut.allClosed) this.#scope.cancel(new DistqError('cancelled', 'all consumers are gone'));
    }
  }

  async #run(): Promise<undefined> {
    const stream = this.#context.execute(this.#node.input, this.#input);
    try {
      for (;;) {
        await this.#fanOut.ready(this.#scope, () => undefined);
        const next = await stream.next();
        this.#scope.throwIfCancelled();
        if (next.done === true) break;
        if (next.value.numRows > 0) this.#share(next.value);
      }
      this.#fanOut.end();
    } catch (error) {
      this.#fanOut.fail(asDistqError(error));
    } finally {
      this.#page.release();
      await stream.return();
    }
    return undefined;
  }

  #share(batch: RecordBatch): void {
    const page = this.#page;
    const before = page.arena.heldBytes;
    const kept = keep(batch, page.arena);
    const bytes = page.arena.heldBytes - before;
    for (let consumer = 0; consumer < this.#node.consumerTasks; consumer++) {
      this.#fanOut.push(consumer, new SharedBatch(kept, bytes, page));
    }
    if (page.arena.heldBytes < PAGE_BYTES) return;
    this.#page = new Page(this.#memory);
    page.release();
  }
}
