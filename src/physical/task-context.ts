import type { CancelScope } from '../base/cancel-scope.js';
import type { QueryId, StageId } from '../base/ids.js';
import type { MetricsRecorder } from '../base/metrics.js';
import type { MemoryConsumer } from '../columnar/memory-pool.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { RowBound } from '../columnar/rows/row-bound.js';
import type { Schema } from '../columnar/schema.js';
import type { SessionConfig } from '../config/session-config.js';
import type { ExpressionCompiler } from '../expr/evaluator.js';
import type { EncodedValue } from '../expr/expr-codec.js';
import type { PhysicalExpr } from '../expr/physical-expr.js';
import type { ExecutionPlan } from './execution-plan.js';
import type { KeyFilters } from './key-filters.js';

/** Where a plan node runs: `{0, 1}` in the head stage; a union's child sees its own share. */
export interface DistributedTaskContext {
  readonly taskIndex: number;
  readonly taskCount: number;
}

/**
 * A batch stream as operators see it: the wrapper around `execute`. One pull at a time; batches live until the next pull or close
 * (engine rules 1.1, 1.3). `return()` cancels the stream's scope first and then closes the operator.
 */
export interface RecordBatchStream extends AsyncIterableIterator<RecordBatch> {
  return(): Promise<IteratorResult<RecordBatch>>;
}

/** A request of one consumer task for some partitions of one producer task; one connection each (engine rule 2.2). */
export interface ExchangeRequest {
  readonly stage: StageId;
  readonly producerTask: number;
  /** Logical worker that hosts the producer task. */
  readonly worker: number;
  /** First producer partition and how many of them, consecutive. */
  readonly firstPartition: number;
  readonly partitionCount: number;
  readonly schema: Schema;
}

export interface ExchangeConnection {
  /**
   * The rows of producer partition `firstPartition + offset`; each offset is read at most once. Its waits end with `scope`. Closing it
   * before the first pull still tells the producer that nobody reads the partition.
   */
  partition(offset: number, scope: CancelScope): RecordBatchStream;
}

/** Reads what other tasks produce; `cluster/` implements it over sockets and, for tasks of the same process, in place. */
export interface Exchange {
  /** The connection lives as long as the task of `context`, not as the stream that asked first. */
  connect(request: ExchangeRequest, context: TaskContext): ExchangeConnection;
}

/**
 * Which output partitions of a task somebody waits for. A reader in another process pulls ahead of its wishes as long as its window is
 * open; only when it runs dry is it one (engine rule 2.1).
 */
export interface OutputWishes {
  wanted(partition: number): boolean;
  /** Calls back whenever a partition becomes wanted or no longer is, as long as the task lives. */
  onChange(listener: (wanted: boolean) => void): void;
}

/** The units of work that the coordinator deals to a leaf while it runs; all partitions of the leaf in this task take from it. */
export interface WorkUnits {
  /** The next unit, or undefined when the feed has ended. Waits no longer than `scope` lives. */
  next(scope: CancelScope): Promise<{ readonly unit: EncodedValue } | undefined>;
}

/**
 * Everything one task gives its operators. State that a task's partitions share (a collected build side, a repartition pump, the
 * file queue) is a named object made by `shared`, keyed by the plan node: plans themselves are immutable.
 */
export interface TaskContext {
  readonly queryId: QueryId;
  readonly stageId: StageId;
  readonly task: DistributedTaskContext;
  /** Logical worker that hosts the task. */
  readonly worker: number;
  readonly config: SessionConfig;
  /** The scope of the stream that holds this context; what it waits for outside the stream tree ends with it. */
  readonly scope: CancelScope;
  /** The task's own scope, above those of all its streams: for pumps and connections that several streams share. */
  readonly taskScope: CancelScope;
  readonly compiler: ExpressionCompiler;
  readonly exchange: Exchange;
  /** Starts a child's partition inside the wrapper. */
  execute(plan: ExecutionPlan, partition: number): RecordBatchStream;
  /** The task's one object for (node, key), made at first use. */
  shared<T>(plan: ExecutionPlan, key: string, make: () => T): T;
  /** Runs once when the task is over, however it ended: frees what objects made by `shared` still hold. Must not throw. */
  atEnd(cleanup: () => void): void;
  /** An accounted memory consumer named for the node and task; the caller releases it. */
  memory(plan: ExecutionPlan, role?: string): MemoryConsumer;
  metrics(plan: ExecutionPlan): MetricsRecorder;
  /** The current predicate of a dynamic filter, or null while it is empty. Its column k stands for `children[k]` of the filter as placed. */
  dynamicFilter(id: number): PhysicalExpr | null;
  setDynamicFilter(id: number, predicate: PhysicalExpr): void;
  /** The bounds that a dynamic filter's makers have reached, one of which a row must be within; null = none yet. The same array until they change. */
  rowBounds(id: number): readonly RowBound[] | null;
  /** Tells what a partition of this task has reached. */
  publishRowBounds(id: number, bounds: readonly RowBound[]): void;
  /** Build keys of the query's joins, from all its tasks. */
  readonly keyFilters: KeyFilters;
  /** What feeds a leaf with work; null for a leaf without a feed. */
  workUnits(plan: ExecutionPlan): WorkUnits | null;
  /** The same task seen by a union's child: another task index and count, everything else shared. */
  withTask(task: DistributedTaskContext): TaskContext;
  /** The same task with another scope (a pump's or a stream's own). */
  withScope(scope: CancelScope): TaskContext;
  /** The wishes of the task's readers, for the node on top of its plan; null for all others, where every pull is a wish. */
  wishes(plan: ExecutionPlan): OutputWishes | null;
  /** Awaits what is not this operator's own work (another task, a timer): its time does not count as compute. */
  waiting<T>(promise: PromiseLike<T>): Promise<T>;
  /** A promise to await when the process's time slice (8 ms) is over, else undefined. */
  pace(): Promise<void> | undefined;
}
