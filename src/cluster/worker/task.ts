import type { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError, DistqError, type TaskLocation } from '../../base/errors.js';
import type { TaskState } from '../../base/metrics.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { hasProducerHead } from '../../distributed/producer-head.js';
import { snapshotTaskMetrics, type TaskMetrics } from '../../distributed/task-metrics.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { LocalTaskContext } from '../../physical/local-task-context.js';
import type { RecordBatchStream } from '../../physical/task-context.js';
import { nowNs } from '../protocol/clock.js';
import type { PartitionRequest, ProducerHead } from '../protocol/hello.js';
import type { TaskExchange } from './task-exchange.js';
import { type TaskIdentity, workerName } from './task-identity.js';

export interface TaskParts {
  readonly identity: TaskIdentity;
  readonly plan: ExecutionPlan;
  readonly context: LocalTaskContext;
  readonly exchange: TaskExchange;
  readonly scope: CancelScope;
  /** What its connections hold: frames that wait, on either side. */
  readonly memory: MemoryConsumer;
  readonly startNs: bigint;
  /** Told of the task's first failure. */
  readonly onFailure: (task: Task, error: DistqError) => void;
}

/**
 * One task in its process: the decoded plan (an object of its own, whoever sent it: L3), the context its operators share, and the
 * partitions its consumers read. Lives until its query is over, however early its streams end (T10).
 */
export class Task {
  readonly identity: TaskIdentity;
  readonly plan: ExecutionPlan;
  readonly scope: CancelScope;
  readonly exchange: TaskExchange;
  readonly memory: MemoryConsumer;
  readonly #context: LocalTaskContext;
  readonly #startNs: bigint;
  readonly #onFailure: (task: Task, error: DistqError) => void;
  readonly #partitions: TaskPartition[];
  readonly #addedNs: number;
  #executedNs: number | null = null;
  #head: ProducerHead | null = null;
  #unsettled: number;
  #error: DistqError | undefined;

  constructor({ identity, plan, context, exchange, scope, memory, startNs, onFailure }: TaskParts) {
    this.identity = identity;
    this.plan = plan;
    this.scope = scope;
    this.exchange = exchange;
    this.#context = context;
    this.memory = memory;
    this.#startNs = startNs;
    this.#onFailure = onFailure;
    const count = plan.properties.partitioning.count;
    this.#unsettled = count;
    this.#partitions = Array.from({ length: count }, (_, index) => new TaskPartition(this, index));
    this.#addedNs = this.#sinceStart();
  }

  get location(): TaskLocation {
    return { stage: this.identity.stage, task: this.identity.task, worker: workerName(this.identity.worker) };
  }

  get error(): DistqError | undefined {
    return this.#error;
  }

  /** Rows its consumers took so far. */
  get rows(): number {
    return this.#partitions.reduce((sum, partition) => sum + partition.rows, 0);
  }

  get state(): TaskState {
    if (this.#error !== undefined) return 'failed';
    if (this.#partitions.every((partition) => partition.state === 'finished')) return 'finished';
    return this.scope.cancelled || this.#unsettled === 0 ? 'cancelled' : 'running';
  }

  /** True once somebody asked for rows. */
  get executed(): boolean {
    return this.#executedNs !== null;
  }

  partition(index: number): TaskPartition {
    const partition = this.#partitions[index];
    if (partition === undefined) {
      throw new DistqError('protocol', `partition ${index} of a task of ${this.#partitions.length} was asked for`);
    }
    return partition;
  }

  /**
   * The partitions of a request. Every consumer must expect the same head: it decides which rows are in which partition, so a
   * difference would be wrong rows without a word (L4), and a plan that lacks it was never meant for this consumer (L6).
   */
  requested(request: PartitionRequest): TaskPartition[] {
    const { head, stagePartitions, firstPartition, partitionCount } = request;
    const count = this.#partitions.length;
    if (stagePartitions !== count) {
      throw new DistqError('protocol', `a consumer expects ${stagePartitions} partitions of a task that has ${count}`);
    }
    if (this.#head !== null && this.#head !== head) {
      throw new DistqError('protocol', `one consumer expects a ${this.#head} head and another a ${head} head`);
    }
    if (!hasProducerHead(this.plan, head)) {
      throw new DistqError('protocol', `a consumer expects a ${head} head and the plan begins with ${this.plan.name}`);
    }
    this.#head = head;
    return Array.from({ length: partitionCount }, (_, offset) => this.partition(firstPartition + offset));
  }

  /** The first failure stays; the coordinator hears of it. */
  fail(error: DistqError): DistqError {
    const located = error.task === undefined ? error.with({ task: this.location }) : error;
    if (this.#error === undefined && located.kind !== 'cancelled') {
      this.#error = located;
      this.#onFailure(this, located);
    }
    return located;
  }

  /** @internal */
  execute(partition: number): RecordBatchStream {
    this.#executedNs ??= this.#sinceStart();
    return this.#context.execute(this.plan, partition);
  }

  /**
   * @internal The last partition is done or given up: whatever inputs the plan never opened or left open are closed now, so that their
   * producers' fan-outs do not wait for this task (engine rule 2.7).
   */
  settled(): void {
    this.#unsettled--;
    if (this.#unsettled === 0) this.exchange.close();
  }

  /** Closes whatever is open. What that sets going is over when the scope has drained. */
  close(): void {
    for (const partition of this.#partitions) partition.close();
    this.exchange.close();
  }

  /** Frees what the task's streams shared, after they were closed and have ended. */
  release(): void {
    this.#context.close();
    this.memory.release();
  }

  /** What the task did; after everything is released, so that what operators record while they close counts (T7). */
  report(): TaskMetrics {
    const { task: taskIndex, taskCount } = this.identity;
    const nodes = snapshotTaskMetrics(this.plan, { taskIndex, taskCount }, (node) => this.#context.recorderOf(node));
    const { state } = this;
    return {
      state: state === 'running' ? 'cancelled' : state,
      times: { planAddedNs: this.#addedNs, planExecutedNs: this.#executedNs, planFinishedNs: this.#sinceStart() },
      nodes,
    };
  }

  #sinceStart(): number {
    return Math.max(1, Number(nowNs() - this.#startNs));
  }
}

/** One output partition of a task: read at most once, by one consumer. */
export class TaskPartition {
  readonly #task: Task;
  readonly index: number;
  #stream: RecordBatchStream | null = null;
  state: 'unread' | 'open' | 'finished' | 'closed' = 'unread';
  rows = 0;
  /** A remote consumer waits for it: its window being open is not a wish, this is (engine rule 2.1). */
  wanted = false;
  #taken = false;

  constructor(task: Task, index: number) {
    this.#task = task;
    this.index = index;
  }

  /** Claims the partition for one reader. */
  take(): this {
    if (this.#taken) {
      const { stage, task } = this.#task.identity;
      throw new DistqError(
        'internal',
        `partition ${this.index} of task ${task} of stage ${stage} was consumed already`,
      );
    }
    this.#taken = true;
    return this;
  }

  /** The next batch, valid until the next call; null at the end. The first call starts the stream. */
  async next(): Promise<RecordBatch | null> {
    if (this.state === 'unread') {
      this.#stream = this.#task.execute(this.index);
      this.state = 'open';
    }
    if (this.state !== 'open' || this.#stream === null) return null;
    let result: IteratorResult<RecordBatch>;
    try {
      result = await this.#stream.next();
    } catch (error) {
      const failure = this.#task.fail(asDistqError(error));
      this.close();
      throw failure;
    }
    // Closed by another hand while this waited.
    if (this.#isClosed()) return null;
    if (result.done === true) {
      this.#settle('finished');
      return null;
    }
    this.rows += result.value.numRows;
    return result.value;
  }

  /** Nobody reads on. The stream ends soon after; the task's scope knows when. */
  close(): void {
    if (this.state === 'finished' || this.state === 'closed') return;
    this.#settle('closed');
  }

  #isClosed(): boolean {
    return this.state === 'closed';
  }

  #settle(state: 'finished' | 'closed'): void {
    this.state = state;
    if (this.#stream !== null) this.#task.scope.drain(this.#stream.return());
    this.#stream = null;
    this.#task.settled();
  }
}
