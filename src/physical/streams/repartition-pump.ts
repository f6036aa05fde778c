import { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError, DistqError } from '../../base/errors.js';
import { Job } from '../../base/job.js';
import type { MetricsRecorder } from '../../base/metrics.js';
import { Arena } from '../../columnar/arena.js';
import { BatchBuilder } from '../../columnar/batch-builder.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { hashColumns } from '../../columnar/rows/hash-columns.js';
import type { ProjectionEvaluator } from '../../expr/evaluator.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { closeAll } from '../record-batch-stream.js';
import type { RecordBatchStream, TaskContext } from '../task-context.js';
import { dense } from './dense-columns.js';
import { FanOut, type FanOutChunk } from './fan-out.js';

/** Target of bytes queued over all outputs of a task's fan-out, and the least and most for one output. */
const TARGET_BYTES = 64 * 1024 * 1024;
const MIN_BOUND_BYTES = 64 * 1024;
const MAX_BOUND_BYTES = 4 * 1024 * 1024;
/** Bytes being gathered over all outputs; beyond it the fullest are sent on (engine rule 2.9). */
const GATHER_BYTES = 16 * 1024 * 1024;

/** A batch and the arena that holds it. */
class OwnedBatch implements FanOutChunk {
  readonly batch: RecordBatch;
  readonly bytes: number;
  readonly #arena: Arena;

  constructor(batch: RecordBatch, arena: Arena) {
    this.batch = batch;
    this.bytes = arena.heldBytes;
    this.#arena = arena;
  }

  drop(): void {
    this.#arena.free();
  }
}

/** Rows being gathered for one output. */
class Gathering {
  arena: Arena;
  builder: BatchBuilder;
  readonly #memory: MemoryConsumer;
  readonly #plan: ExecutionPlan;
  readonly #batchSize: number;

  constructor(plan: ExecutionPlan, batchSize: number, memory: MemoryConsumer) {
    this.#plan = plan;
    this.#batchSize = batchSize;
    this.#memory = memory;
    this.arena = new Arena(memory);
    this.builder = new BatchBuilder(plan.schema, batchSize, this.arena);
  }

  /** The gathered rows with their memory; starts over with none. */
  take(): OwnedBatch {
    const owned = new OwnedBatch(this.builder.take(), this.arena);
    this.arena = new Arena(this.#memory);
    this.builder = new BatchBuilder(this.#plan.schema, this.#batchSize, this.arena);
    return owned;
  }
}

export interface RepartitionPumpOptions {
  readonly plan: ExecutionPlan;
  readonly input: ExecutionPlan;
  readonly exprs: readonly PhysicalExpr[];
  readonly outputs: number;
  /** One set of outputs per input partition, for outputs that merge by order. */
  readonly perInput: boolean;
}

/**
 * The one job per task that reads all input partitions of a hash repartition and deals their rows to the outputs (engine rules 2.1, 2.3,
 * 2.9). Started by the first pull of any output, stopped by the last close. Bucket = low 32 bits of the shared hash modulo the outputs,
 * so that every process agrees.
 */
export class RepartitionPump {
  readonly #options: RepartitionPumpOptions;
  readonly #context: TaskContext;
  readonly #scope: CancelScope;
  readonly #memory: MemoryConsumer;
  readonly #evaluator: ProjectionEvaluator;
  readonly #gatherings: Gathering[];
  readonly #fanOut: FanOut<OwnedBatch>;
  readonly #inputs: number;
  readonly #metrics: MetricsRecorder;
  #job: Job<undefined> | undefined;
  #feeding = false;
  #ended = false;
  #running = false;
  #freed = false;

  constructor(options: RepartitionPumpOptions, context: TaskContext) {
    this.#options = options;
    this.#scope = new CancelScope(context.taskScope);
    this.#context = context.withScope(this.#scope);
    this.#memory = context.memory(options.plan);
    this.#metrics = context.metrics(options.plan);
    this.#evaluator = context.compiler.projection(options.exprs);
    this.#inputs = options.input.properties.partitioning.count;
    const sets = options.perInput ? this.#inputs : 1;
    const tiny = context.config.get('debug.windows') === 'tiny';
    const share = TARGET_BYTES / (options.outputs * sets);
    const bound = tiny ? 1 : Math.min(MAX_BOUND_BYTES, Math.max(MIN_BOUND_BYTES, share));
    const batchSize = context.config.get('execution.batch_size');
    const wishes = context.wishes(options.plan);
    const isWish = (index: number): boolean => wishes?.wanted(index % options.outputs) ?? true;
    this.#fanOut = new FanOut(options.outputs * sets, bound, { isWish });
    wishes?.onChange((wanted) => {
      if (wanted) this.#feedSoon();
      this.#fanOut.poke();
    });
    this.#gatherings = Array.from(
      { length: options.outputs * sets },
      () => new Gathering(options.plan, batchSize, this.#memory),
    );
    context.atEnd(() => {
      this.#free();
    });
  }

  /** Batches dealt to output `output` (of input `input` when outputs are kept apart). */
  async *output(output: number, input: number, context: TaskContext): AsyncGenerator<RecordBatch, void, undefined> {
    const index = input * this.#options.outputs + output;
    this.#job ??= Job.start(() => this.#run(), this.#scope);
    try {
      while (true) {
        const owned = await context.waiting(this.#fanOut.take(index, context.scope));
        if (owned === undefined) return;
        try {
          yield owned.batch;
        } finally {
          owned.drop();
        }
      }
    } finally {
      this.#fanOut.close(index);
      if (this.#fanOut.allClosed) this.#scope.cancel(new DistqError('cancelled', 'all outputs are closed'));
    }
  }

  async #run(): Promise<undefined> {
    this.#running = true;
    const streams = Array.from({ length: this.#inputs }, (_, input) =>
      this.#context.execute(this.#options.input, input),
    );
    try {
      await Promise.all(streams.map((stream, input) => this.#drive(stream, input)));
      for (let index = 0; index < this.#gatherings.length; index++) this.#flush(index);
      this.#fanOut.end();
    } catch (error) {
      this.#fanOut.fail(asDistqError(error));
    } finally {
      this.#ended = true;
      this.#scope.cancel();
      await closeAll(streams);
      for (const gathering of this.#gatherings) gathering.arena.free();
      this.#running = false;
      if (this.#freed) this.#memory.release();
    }
    return undefined;
  }

  async #drive(stream: RecordBatchStream, input: number): Promise<void> {
    const scratch = new Arena(this.#memory);
    const first = this.#options.perInput ? input * this.#options.outputs : 0;
    const feed = (): void => {
      this.#feedHungry();
    };
    try {
      while (true) {
        await this.#fanOut.ready(this.#scope, feed);
        const next = await stream.next();
        if (next.done === true) return;
        scratch.reset();
        const startMs = performance.now();
        this.#deal(next.value, first, scratch);
        this.#feedSoon();
        if (this.#gatheredBytes() > GATHER_BYTES) this.#flushFullest();
        this.#metrics.add('elapsed_compute', Math.round((performance.now() - startMs) * 1e6), 'time');
      }
    } finally {
      scratch.free();
    }
  }

  #deal(batch: RecordBatch, first: number, scratch: Arena): void {
    const { numRows } = batch;
    if (numRows === 0) return;
    const { outputs } = this.#options;
    const keys = dense(this.#evaluator.evaluate(batch, scratch), batch, scratch);
    const hashes = hashColumns(keys, numRows, scratch);
    const indices = scratch.alloc(numRows * 4);
    const ends = scratch.alloc(outputs * 4);
    kernels.bucketRows(hashes, numRows, outputs, indices, ends);
    // Row numbers of the selection become physical ones, so that rows are gathered straight from the batch.
    const physical = batch.selection === 0 ? indices : scratch.alloc(numRows * 4);
    if (batch.selection !== 0) kernels.gather32(batch.selection, indices, numRows, physical);
    let start = 0;
    for (let output = 0; output < outputs; output++) {
      const end = heap.u32[(ends >>> 2) + output]!;
      const index = first + output;
      if (!this.#fanOut.isClosed(index)) this.#append(index, batch, physical + start * 4, end - start);
      start = end;
    }
  }

  #append(index: number, batch: RecordBatch, rows: number, count: number): void {
    for (let done = 0; done < count; ) {
      const { builder } = this.#gatherings[index]!;
      const taken = builder.appendRows(batch.columns, rows + done * 4, 0, count - done);
      done += taken;
      if (taken === 0 || builder.isFull) this.#flush(index);
    }
  }

  #flush(index: number): void {
    const gathering = this.#gatherings[index]!;
    if (gathering.builder.numRows > 0) this.#fanOut.push(index, gathering.take());
  }

  /** Feeds hungry outputs once the event loop turns: when the input makes us wait, or computes past its time slice. */
  #feedSoon(): void {
    if (
      this.#feeding ||
      !this.#gatherings.some(({ builder }, index) => builder.numRows > 0 && this.#fanOut.isHungry(index))
    ) {
      return;
    }
    this.#feeding = true;
    setImmediate(() => {
      this.#feeding = false;
      if (!this.#ended) this.#feedHungry();
    });
  }

  /** A consumer that waits gets what there is, rather than waiting for a full batch. */
  #feedHungry(): void {
    for (let index = 0; index < this.#gatherings.length; index++) {
      if (this.#fanOut.isHungry(index)) this.#flush(index);
    }
  }

  #gatheredBytes(): number {
    return this.#gatherings.reduce((sum, { arena }) => sum + arena.heldBytes, 0);
  }

  #flushFullest(): void {
    while (this.#gatheredBytes() > GATHER_BYTES / 2) {
      let fullest = 0;
      for (let index = 1; index < this.#gatherings.length; index++) {
        if (this.#gatherings[index]!.arena.heldBytes > this.#gatherings[fullest]!.arena.heldBytes) fullest = index;
      }
      if (this.#gatherings[fullest]!.builder.numRows === 0) return;
      this.#flush(fullest);
    }
  }

  #free(): void {
    this.#ended = true;
    this.#scope.cancel();
    this.#fanOut.free();
    this.#freed = true;
    // A job that is still on its way out gives back what it holds first.
    if (!this.#running) this.#memory.release();
  }
}
