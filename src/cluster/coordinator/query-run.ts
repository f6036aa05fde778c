import { randomUUID } from 'node:crypto';
import type { CancelScope } from '../../base/cancel-scope.js';
import { type Deferred, deferred } from '../../base/deferred.js';
import { asDistqError, DistqError, invariant } from '../../base/errors.js';
import { type QueryId, queryId, type StageId } from '../../base/ids.js';
import { MetricsRecorder, type MetricValue } from '../../base/metrics.js';
import { pace } from '../../base/time-slice.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { SessionConfig } from '../../config/session-config.js';
import { type DispatchedPlan, dispatchPlan } from '../../distributed/dispatch.js';
import type { DistributionHandlers } from '../../distributed/handlers.js';
import { TaskMetricsStore } from '../../distributed/task-metrics.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { mergeStreams } from '../../physical/streams/merge-streams.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import type { RecordBatchStream } from '../../physical/task-context.js';
import { nowNs } from '../protocol/clock.js';
import type { FromWorker, TaskProgress, ToWorker } from '../protocol/messages.js';
import type { ChildExit } from '../transport/child-worker.js';
import type { Task, TaskPartition } from '../worker/task.js';
import { workerName } from '../worker/task-identity.js';
import { ErrorCollector } from './error-collector.js';
import { decideHosting, type Hosting, workerCount } from './hosting.js';
import { FeedServer } from './feed-server.js';
import { lostProcess } from './lost-process.js';
import type { ProcessPool } from './worker-pool.js';

/** What the end of a query waits for its metrics. */
const END_MS = 1_000;

export interface QueryRunOptions {
  readonly pool: ProcessPool;
  readonly codec: PlanCodec;
  /** A distributed plan, or one that is not: then all of it is the head. */
  readonly plan: ExecutionPlan;
  readonly config: SessionConfig;
  /** Ends the query when it is cancelled. */
  readonly scope?: CancelScope;
  readonly handlers?: DistributionHandlers;
  /** Why no other process can run the plan's tasks, as a clause; null when all can. */
  readonly onlyHere?: string | null;
  /** Called at most four times a second and process. */
  readonly onProgress?: (tasks: readonly TaskProgress[]) => void;
}

/**
 * One run of a plan: sends every task its part, runs the head here, and ends with rows or with the one error that explains what
 * happened. Stages start when somebody pulls them; nothing waits for a plan to be accepted, the producers' stores see to that.
 *
 * Every task gets its plan from here and from nobody else, however deep its stage (T35). Metrics travel beside the data and not with it
 * (T6), and are complete when the iteration of `batches` ends (T8).
 */
export class QueryRun {
  readonly id: QueryId = queryId(randomUUID());
  readonly plan: ExecutionPlan;
  /** What the tasks told when they ended; the head is stage 0. Tasks of lost processes are missing. */
  readonly metrics: TaskMetricsStore = new TaskMetricsStore();
  readonly #options: QueryRunOptions;
  readonly #recorder = new MetricsRecorder();
  readonly #errors: ErrorCollector;
  readonly #progress = new Map<string, TaskProgress>();
  readonly #leaks: string[] = [];
  #hosting: Hosting = { children: 0, placement: [] };
  #dispatched: DispatchedPlan | undefined;
  #state: 'new' | 'running' | 'ending' | 'over' = 'new';
  /** Processes that were told of the query and have not said that it is over. */
  readonly #open = new Set<number>();
  #allClosed: Deferred<undefined> | undefined;
  readonly #feeds: FeedServer;
  /** Those of them that know it is over. */
  readonly #told = new Set<number>();

  constructor(options: QueryRunOptions) {
    this.#options = options;
    this.plan = options.plan;
    this.#errors = new ErrorCollector((error) => {
      this.#stop(error);
    });
    this.#feeds = new FeedServer({
      config: options.config,
      send: (stage, task, feed, units, ended) => {
        this.#sendUnits({ kind: 'work_units', query: this.id, stage, task, feed, units, ended });
      },
      fail: (error) => {
        if (this.#state === 'running') this.#errors.report(error);
      },
    });
  }

  get schema(): Schema {
    return this.plan.schema;
  }

  get hosting(): Hosting {
    return this.#hosting;
  }

  /** The stages as they were handed out; undefined before the run began. */
  get dispatched(): DispatchedPlan | undefined {
    return this.#dispatched;
  }

  /** Tasks that ran, or were to run, in child processes. */
  get tasksInChildren(): number {
    const stages = this.#dispatched?.stages ?? [];
    return stages.flatMap(({ workers }) => workers).filter((worker) => this.#processOf(worker) !== 0).length;
  }

  /** About the run as a whole: plans sent, to this process and to others. */
  get rootMetrics(): MetricValue[] {
    return this.#recorder.snapshot();
  }

  /** What processes still held when the query was over: always empty, or there is a bug. */
  get leaks(): readonly string[] {
    return this.#leaks;
  }

  /** Rows that each task gave out so far. */
  get progress(): TaskProgress[] {
    return [...this.#progress.values()];
  }

  /** Ends the query with this as its error, whatever else breaks on the way. Does nothing once it is over. */
  cancel(reason: DistqError = new DistqError('cancelled', 'the query was cancelled')): void {
    if (this.#state !== 'ending' && this.#state !== 'over') this.#errors.override(reason);
  }

  /**
   * The result, each batch valid until the next is asked for; to be asked for once. When the iteration ends, by rows, error or
   * `return`, nothing of the query is left in any process; metrics are here as far as they came within a second.
   */
  async *batches(): AsyncGenerator<RecordBatch, void, undefined> {
    invariant(this.#state === 'new', 'a query runs once');
    this.#state = 'running';
    const { pool, config, scope } = this.#options;
    const timeoutMs = config.get('distq.timeout_ms');
    const timedOut = (): void => {
      this.#timedOut(timeoutMs);
    };
    const timer = timeoutMs === 0 ? undefined : setTimeout(timedOut, timeoutMs);
    const unhook = scope?.onCancel((reason) => {
      this.cancel(reason);
    });
    try {
      const head = await this.#start();
      const partitions = Array.from({ length: head.plan.properties.partitioning.count }, (_, index) =>
        head.partition(index).take(),
      );
      const [only] = partitions;
      if (partitions.length === 1 && only !== undefined) {
        for (let batch = await only.next(); batch !== null; batch = await only.next()) yield batch;
      } else {
        yield* mergeStreams(partitions.map((partition) => new HeadStream(partition)));
      }
      // A lost worker ends the query even when the last row had come, as long as nobody was told that it is over (L18).
      await this.#throwIfFailed();
      this.#state = 'ending';
    } catch (error) {
      this.#errors.report(asDistqError(error));
      throw await this.#errors.chosen;
    } finally {
      clearTimeout(timer);
      unhook?.();
      await this.#end();
      pool.leave(this.id);
    }
  }

  /** Hands every task its plan; gives the head. */
  async #start(): Promise<Task> {
    const { pool, codec, plan, config, handlers, onlyHere = null } = this.#options;
    const workers = workerCount(config);
    const dispatched = dispatchPlan(plan, { workerCount: workers, ...(handlers === undefined ? {} : { handlers }) });
    this.#dispatched = dispatched;
    this.#hosting = decideHosting({ plan, config, workers, running: pool.runningChildren, onlyHere });
    const { children, placement } = this.#hosting;
    // From here on a lost process, even an idle one, is this query's end.
    pool.join(this.id, {
      message: (message, processIndex) => {
        this.#receive(message, processIndex);
      },
      lost: (processIndex, pid, exit, told) => {
        this.#lost(processIndex, pid, exit, told);
      },
    });
    if (children > 0) await this.orFailure(pool.ensureChildren(children));
    await this.#throwIfFailed();
    const settings = { query: this.id, config, placement, startNs: nowNs() };
    this.#open.add(0);
    const [headFeeds] = this.#feeds.add(dispatched.head);
    const head = pool.host.addHead(settings, dispatched.head.taskPlan(0), headFeeds);
    const entries = config.entries();
    for (const stage of dispatched.stages) {
      const taskCount = stage.workers.length;
      const feeds = this.#feeds.add(stage);
      for (const [task, worker] of stage.workers.entries()) {
        // The leaf's variant is put in its place here, before anything is written: no worker ever sees another task's files.
        const encoded = codec.plan(stage.taskPlan(task));
        this.#tell(worker, {
          kind: 'set_plan',
          query: this.id,
          stage: stage.id,
          task,
          taskCount,
          worker,
          placement,
          plan: encoded,
          // Read when the plan is sent, so that a SET before it counts (T14), and all of them, not only distributed ones (L13).
          config: entries,
          feeds: feeds[task] ?? [],
          startNs: settings.startNs,
        });
        const turn = pace();
        if (turn !== undefined) await turn;
        await this.#throwIfFailed();
      }
    }
    return head;
  }

  async #throwIfFailed(): Promise<void> {
    if (this.#errors.failed) throw await this.#errors.chosen;
  }

  /** The promise's outcome, or the query's error when that comes first. */
  async orFailure<T>(promise: Promise<T>): Promise<T> {
    return await Promise.race([
      promise,
      this.#errors.chosen.then((error): never => {
        throw error;
      }),
    ]);
  }

  #processOf(worker: number): number {
    return this.#hosting.placement[worker] ?? 0;
  }

  #tell(worker: number, message: ToWorker): void {
    const processIndex = this.#processOf(worker);
    this.#open.add(processIndex);
    const bytes = this.#options.pool.send(processIndex, message);
    if (processIndex === 0) {
      this.#recorder.add('local_coordinator_channels', 1);
    } else {
      this.#recorder.add('remote_coordinator_channels', 1);
      this.#recorder.add('plan_bytes_sent', bytes, 'bytes');
    }
  }

  #receive(message: FromWorker, processIndex: number): void {
    switch (message.kind) {
      case 'task_failed':
        if (this.#state === 'running') this.#errors.report(message.error);
        return;
      case 'task_metrics':
        if (!this.metrics.has(message.stage, message.task)) {
          const worker = this.#workerOf(message.stage, message.task);
          this.metrics.put(message.stage, message.task, worker, message.metrics);
        }
        return;
      case 'work_unit_demand':
        this.#feeds.demand(message.stage, message.task, message.feed, message.count);
        return;
      case 'work_unit_leave':
        this.#feeds.leave(message.stage, message.task, message.feed);
        return;
      case 'join_keys':
      case 'row_bounds':
        if (this.#state === 'running') this.#passOn({ ...message }, processIndex);
        return;
      case 'progress':
        for (const task of message.tasks) this.#progress.set(`${task.stage}/${task.task}`, task);
        this.#options.onProgress?.(this.progress);
        return;
      case 'query_closed':
        this.#leaks.push(...message.leaks.map((leak) => `process ${processIndex}: ${leak}`));
        this.#closed(processIndex);
        return;
      case 'listening':
      case 'fatal':
        return;
    }
  }

  #sendUnits(message: Extract<ToWorker, { kind: 'work_units' }>): void {
    const processIndex = this.#processOf(this.#workerOf(message.stage, message.task));
    if (this.#told.has(processIndex)) return;
    this.#recorder.add('work_units_sent', message.units.length);
    this.#options.pool.send(processIndex, message);
  }

  #workerOf(stage: StageId, task: number): number {
    return this.#dispatched?.stages.find(({ id }) => id === stage)?.workers[task] ?? 0;
  }

  #lost(processIndex: number, pid: number, exit: ChildExit, told: DistqError | undefined): void {
    // A process that an earlier query left behind is none of this one's.
    if (processIndex > this.#hosting.children) return;
    if (this.#state === 'running') this.#errors.report(told ?? this.#lostError(processIndex, pid, exit), 'known');
    this.#closed(processIndex);
  }

  /** Names a task of the lost process: the one whose consumer noticed, or the first it was given. */
  #lostError(processIndex: number, pid: number, exit: ChildExit): DistqError {
    const stages = this.#dispatched?.stages ?? [];
    const tasks = stages.flatMap(({ id, workers }) =>
      workers
        .map((worker, task) => ({ stage: id, task, worker }))
        .filter(({ worker }) => this.#processOf(worker) === processIndex),
    );
    const noticed = this.#errors.best?.task;
    const found =
      tasks.find(({ stage, task }) => stage === noticed?.stage && task === noticed.task) ??
      tasks.find(({ stage, task }) => this.#progress.get(`${stage}/${task}`)?.state !== 'finished') ??
      tasks[0];
    if (found === undefined) return lostProcess(`worker process ${pid}`, exit, 'while it had no task of this query');
    const { stage, task, worker } = found;
    return lostProcess(
      `${workerName(worker)} (process ${pid})`,
      exit,
      `while it ran task ${task} of stage ${stage}`,
    ).with({
      task: { stage, task, worker: workerName(worker) },
    });
  }

  #timedOut(timeoutMs: number): void {
    this.cancel(
      new DistqError('resources_exhausted', `the query was not done within its time limit of ${timeoutMs} ms`, {
        hint: 'raise --timeout',
      }),
    );
  }

  /** The first error: every stage is told at once, the head among them. */
  #stop(reason: DistqError): void {
    this.#tellAll({ kind: 'cancel_query', query: this.id, reason });
  }

  #tellAll(message: ToWorker): void {
    for (const processIndex of this.#open) {
      if (this.#told.has(processIndex)) continue;
      this.#told.add(processIndex);
      this.#options.pool.send(processIndex, message);
    }
  }

  /** Tells every process that has tasks of the query, except the one that it comes from. */
  #passOn(message: ToWorker, from: number): void {
    for (const processIndex of this.#open) {
      if (processIndex !== from && !this.#told.has(processIndex)) this.#options.pool.send(processIndex, message);
    }
  }

  /** Tells those who were not told yet, and waits a while until nothing is left of the query (T5: tell first, then wait). */
  async #end(): Promise<void> {
    const isOver = this.#state === 'ending';
    this.#state = 'ending';
    const reason = this.#errors.best ?? new DistqError('cancelled', 'the reader closed the result');
    const feedsClosed = this.#feeds.close();
    this.#tellAll(isOver ? { kind: 'finish_query', query: this.id } : { kind: 'cancel_query', query: this.id, reason });
    if (this.#open.size > 0) this.#allClosed = deferred();
    const late = deferred<undefined>();
    const timer = setTimeout(() => {
      late.resolve(undefined);
    }, END_MS);
    await Promise.race([Promise.all([this.#allClosed?.promise, feedsClosed]), late.promise]);
    clearTimeout(timer);
    this.#state = 'over';
  }

  #closed(processIndex: number): void {
    this.#open.delete(processIndex);
    if (this.#open.size === 0) this.#allClosed?.resolve(undefined);
  }
}

/** A partition of the head as a stream, where there are several to be merged. */
class HeadStream implements RecordBatchStream {
  readonly #partition: TaskPartition;

  constructor(partition: TaskPartition) {
    this.#partition = partition;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RecordBatch>> {
    const batch = await this.#partition.next();
    return batch === null ? { done: true, value: undefined } : { done: false, value: batch };
  }

  return(): Promise<IteratorResult<RecordBatch>> {
    this.#partition.close();
    return Promise.resolve({ done: true, value: undefined });
  }
}
