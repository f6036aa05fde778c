import { Job } from '../../base/job.js';
import { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { keep } from '../../columnar/keep.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { isNullAt, physicalRow, valueAddress } from '../../columnar/value-at.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';

/** A kept batch of the left side, with one byte per row: whether it found a partner. */
export interface LeftBatch {
  readonly batch: RecordBatch;
  readonly visited: number;
}

/**
 * The left side of a join without keys, collected once per task and shared by the right partitions; whoever ends last frees it.
 */
export class CollectedLeft {
  readonly batches: LeftBatch[] = [];
  readonly #left: ExecutionPlan;
  readonly #arena: Arena;
  readonly #memory: MemoryConsumer;
  #job: Job<void> | undefined;
  #open: number;
  #joining: number;
  #freed = false;
  #running = false;

  constructor(owner: ExecutionPlan, left: ExecutionPlan, partitions: number, context: TaskContext) {
    this.#left = left;
    this.#open = partitions;
    this.#joining = partitions;
    this.#memory = context.memory(owner, 'left side');
    this.#arena = new Arena(this.#memory);
    context.atEnd(() => {
      this.free();
    });
  }

  get numRows(): number {
    return this.batches.reduce((sum, { batch }) => sum + batch.numRows, 0);
  }

  /** Waits for the collected rows; the first who asks starts the job. */
  async collected(context: TaskContext): Promise<void> {
    this.#job ??= this.#start(context);
    await context.waiting(this.#job.result(context.scope));
  }

  #start(context: TaskContext): Job<void> {
    return Job.start(async () => {
      this.#running = true;
      try {
        await this.#collect(context.withScope(context.taskScope));
      } finally {
        this.#running = false;
        if (this.#freed) this.#release();
      }
    }, context.taskScope);
  }

  async #collect(context: TaskContext): Promise<void> {
    for await (const batch of context.execute(this.#left, 0)) {
      if (batch.numRows === 0) continue;
      const kept = keep(batch, this.#arena);
      this.batches.push({ batch: kept, visited: this.#arena.allocZeroed(kept.numRows) });
    }
  }

  /** One partition has joined all its rows; true for the last. */
  joined(): boolean {
    this.#joining--;
    return this.#joining === 0;
  }

  /** One partition's stream is over, however it ended. */
  close(): void {
    this.#open--;
    if (this.#open === 0) this.free();
  }

  /** Frees the rows; a job that is still on its way out does it at its end. */
  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    if (!this.#running) this.#release();
  }

  #release(): void {
    this.#arena.free();
    this.#memory.release();
  }
}

/** One selected row of a batch as constant columns of `length` rows: views of the row's values. */
export function rowAsConstants(batch: RecordBatch, index: number, length: number): Column[] {
  const row = physicalRow(batch, index);
  return batch.columns.map((column) =>
    isNullAt(column, row)
      ? Column.nulls(column.type, column.layout, length)
      : Column.constant(column.type, column.layout, length, valueAddress(column, row)),
  );
}
