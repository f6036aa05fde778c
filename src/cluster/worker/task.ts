import type { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError, DistqError, type TaskLocation } from '../../base/errors.js';
import type { TaskState } from '../../base/metrics.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { hasProducerHead } from '../../distributed/producer-head.js';
import { snapshotTaskMetrics, type TaskMetrics } from '../../distributed/task-metrics.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { LocalTaskContext } from '../../physical/local-task-context.js';
import type { OutputWishes, RecordBatchStream } from '../../physical/task-context.js';
import { nowNs } from '../protocol/clock.js';
import type { PartitionRequest, ProducerHead } from '../protocol/hello.js';
import type { TaskFeeds } from './task-feeds.js';
import type { TaskExchange } from './task-exchange.js';
import { type TaskIdentity, workerName } from './task-identity.js';

/** What is told to producers about who waits; well below the 5 ms after which a fan-out counts as starving somebody. */
const LASTING_MS = 2;

export interface TaskParts {
  readonly identity: TaskIdentity;
  readonly plan: ExecutionPlan;
  readonly context: LocalTaskContext;
  readonly exchange: TaskExchange;
  readonly feeds: TaskFeeds;
  readonly scope: CancelScope;
  /** What its connections hold: frames that wait, on either side. */
  readonly memory: MemoryConsumer;
  /** Given to the context as well, which is made before the task. */
  readonly wishes: TaskWishes;
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
  readonly feeds: TaskFeeds;
  readonly memory: MemoryConsumer;
  /** @internal */
  readonly wishes: TaskWishes;
  readonly #context: LocalTaskContext;
  readonly #startNs: bigint;
  readonly #onFailure: (task: Task, error: DistqError) => void;
  readonly #partitions: TaskPartition[];
  readonly #addedNs: number;
  #executedNs: number | null = null;
  /** When the last partition was read to its end or given up. */
  #settledNs: number | null = null;
  #head: ProducerHead | null = null;
  #unsettled: number;
  #pulls = 0;
  #pullChangeMs = 0;
  #pullTimer: NodeJS.Timeout | undefined;
  #error: DistqError | undefined;

  constructor({ identity, plan, context, exchange, feeds, scope, memory, wishes, startNs, onFailure }: TaskParts) {
    this.identity = identity;
    this.plan = plan;
    this.scope = scope;
    this.exchange = exchange;
    this.feeds = feeds;
    this.#context = context;
    this.memory = memory;
    this.#startNs = startNs;
    this.#onFailure = onFailure;
    const count = plan.properties.partitioning.count;
    this.#unsettled = count;
    this.#partitions = Array.from({ length: count }, (_, index) => new TaskPartition(this, index));
    this.wishes = wishes;
    wishes.attach((partition) => this.#partitions[partition]?.wanted ?? true);
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
   * The partitions of a request. The head stands in the plan, and the request says which one the consumer counts on (T36). Every
   * consumer must expect the same head: it decides which rows are in which partition, so a
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
   * @internal Counts pulls that somebody waits for. While there is none, what the task's merges have armed is no wish either. A reader
   * that works comes and goes all the time, so producers are only told what has lasted a moment.
   */
  countWish(change: 1 | -1): void {
    const before = this.#pulls > 0;
    this.#pulls += change;
    const after = this.#pulls > 0;
    if (before === after) return;
    if (!after) this.exchange.withdrawWishes();
    this.#pullChangeMs = performance.now();
    this.#pullTimer ??= setTimeout(this.#checkPulls, LASTING_MS);
  }

  readonly #checkPulls = (): void => {
    this.#pullTimer = undefined;
    if (this.#unsettled === 0) return;
    const leftMs = this.#pullChangeMs + LASTING_MS - performance.now();
    if (leftMs > 0.5) this.#pullTimer = setTimeout(this.#checkPulls, leftMs);
    else this.exchange.setWishing(this.#pulls > 0);
  };

  /**
   * @internal The last partition is done or given up: whatever inputs the plan never opened or left open are closed now, so that their
   * producers' fan-outs do not wait for this task (engine rule 2.7), and feeds that had more to give learn it.
   */
  settled(): void {
    this.#unsettled--;
    if (this.#unsettled > 0) return;
    this.#settledNs ??= this.#sinceStart();
    this.exchange.close();
    this.feeds.close();
  }

  /** Closes whatever is open. What that sets going is over when the scope has drained. */
  close(): void {
    clearTimeout(this.#pullTimer);
    for (const partition of this.#partitions) partition.close();
    this.exchange.close();
    this.feeds.close();
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
      times: {
        planAddedNs: this.#addedNs,
        planExecutedNs: this.#executedNs,
        planFinishedNs: this.#settledNs ?? this.#sinceStart(),
      },
      nodes,
    };
  }

  #sinceStart(): number {
    return Math.max(1, Number(nowNs() - this.#startNs));
  }
}

/** What the task's readers wait for, as its top node sees it. */
export class TaskWishes implements OutputWishes {
  #wanted: (partition: number) => boolean = () => true;
  readonly #listeners: ((wanted: boolean) => void)[] = [];

  attach(wanted: (partition: number) => boolean): void {
    this.#wanted = wanted;
  }

  wanted(partition: number): boolean {
    return this.#wanted(partition);
  }

  onChange(listener: (wanted: boolean) => void): void {
    this.#listeners.push(listener);
  }

  tell(wanted: boolean): void {
    for (const listener of this.#listeners) listener(wanted);
  }
}

/** One output partition of a task: read at most once, by one consumer. */
export class TaskPartition {
  readonly #task: Task;
  readonly index: number;
  #stream: RecordBatchStream | null = null;
  state: 'unread' | 'open' | 'finished' | 'closed' = 'unread';
  rows = 0;
  /** False while a remote consumer has rows to read: its window being open is not a wish (engine rule 2.1). */
  #wanted = true;
  #pending = false;
  #taken = false;

  constructor(task: Task, index: number) {
    this.#task = task;
    this.index = index;
  }

  get wanted(): boolean {
    return this.#wanted;
  }

  /** What the partition's reader in another process says; one in this process wishes whenever it pulls. */
  set wanted(wanted: boolean) {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    if (this.#pending) this.#task.countWish(wanted ? 1 : -1);
    this.#task.wishes.tell(wanted);
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
    this.#setPending(true);
    try {
      result = await this.#stream.next();
    } catch (error) {
      const failure = this.#task.fail(asDistqError(error));
      this.close();
      throw failure;
    } finally {
      this.#setPending(false);
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

  #setPending(pending: boolean): void {
    this.#pending = pending;
    if (this.#wanted) this.#task.countWish(pending ? 1 : -1);
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
