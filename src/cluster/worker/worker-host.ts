import { CancelScope } from '../../base/cancel-scope.js';
import { asDistqError, DistqError } from '../../base/errors.js';
import type { QueryId } from '../../base/ids.js';
import { MAX_FRAME_BYTES } from '../../columnar/ipc/batch-encoder.js';
import type { MemoryPool } from '../../columnar/memory-pool.js';
import { SessionConfig } from '../../config/session-config.js';
import type { TaskFeed } from '../../distributed/feed-leaves.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { KeyFilters } from '../../physical/key-filters.js';
import { RowBounds } from '../../physical/row-bounds.js';
import { LocalTaskContext } from '../../physical/local-task-context.js';
import { decodeHello, encodeHello, type PartitionRequest } from '../protocol/hello.js';
import type { FromWorker, TaskProgress, ToWorker } from '../protocol/messages.js';
import type { ServerConnection } from '../transport/data-server.js';
import { FaultInjector, injectedError } from './fault-injector.js';
import { IncomingConnection, type RequestServer } from './incoming-connection.js';
import type { WorkerServices } from './services.js';
import { Task, TaskWishes } from './task.js';
import { TaskFeeds } from './task-feeds.js';
import { TaskExchange, type Transport } from './task-exchange.js';
import { headIdentity, type TaskIdentity } from './task-identity.js';
import { TaskStore } from './task-store.js';

const PROGRESS_MS = 250;
const DRAIN_MS = 2_000;
const TINY_FRAME_BYTES = 1024;

export interface WorkerHostOptions {
  /** 0 is the coordinator's process. */
  readonly processIndex: number;
  readonly services: WorkerServices;
  readonly memory: MemoryPool;
  readonly token: Uint8Array;
  readonly build: string;
  /** Ends the process; null where it is the user's own. For fault injection. */
  readonly kill: (() => void) | null;
  readonly emit: (message: FromWorker) => void;
  /** Messages that are not out yet: progress waits for none of them. */
  readonly backlog: () => number;
}

interface HostedQuery {
  readonly id: QueryId;
  readonly scope: CancelScope;
  readonly config: SessionConfig;
  readonly faults: FaultInjector;
  /** Process of each logical worker. */
  readonly placement: readonly number[];
  readonly tasks: Task[];
  /** Build keys of its joins, here and in other processes. */
  readonly keyFilters: KeyFilters;
  readonly rowBounds: RowBounds;
}

export interface QuerySettings {
  readonly query: QueryId;
  readonly config: SessionConfig;
  readonly placement: readonly number[];
  readonly startNs: bigint;
}

/**
 * The tasks of one process, be it a child or the coordinator itself: both are driven by the same messages and both decode their plans
 * from them, so that no task ever sees a live object of another (engine rule 9).
 */
export class WorkerHost {
  readonly #options: WorkerHostOptions;
  readonly #store = new TaskStore<Task>();
  readonly #queries = new Map<QueryId, HostedQuery>();
  #addresses: readonly string[] = [];
  #progress: NodeJS.Timeout | undefined;
  readonly #reported = new Map<Task, number>();

  constructor(options: WorkerHostOptions) {
    this.#options = options;
  }

  /** Queries that have state here, for leak checks. */
  get activeQueries(): number {
    return this.#queries.size;
  }

  get activeTasks(): number {
    return this.#store.size;
  }

  /** Takes a control message. Failures are the message's task's or query's, and are told in messages. */
  handle(message: ToWorker): void {
    switch (message.kind) {
      case 'stop':
        return;
      case 'start':
        throw new DistqError('protocol', 'a worker that runs was started again');
      case 'peers':
        this.#addresses = message.addresses;
        return;
      case 'set_plan':
        this.#setPlan(message);
        return;
      case 'work_units':
        this.#workUnits(message);
        return;
      case 'join_keys':
        // A query that is over, or whose plans are not here yet, does without.
        this.#queries.get(message.query)?.keyFilters.receive(message.filter);
        return;
      case 'row_bounds':
        this.#queries.get(message.query)?.rowBounds.receive(message.filter);
        return;
      case 'finish_query':
        void this.#endQuery(message.query, new DistqError('cancelled', 'the query is over'));
        return;
      case 'cancel_query':
        void this.#endQuery(message.query, asCancel(message.reason));
        return;
    }
  }

  /** A data connection was accepted. */
  readonly accept = (connection: ServerConnection): void => {
    new IncomingConnection(connection, this.#server);
  };

  /** Runs the head stage here: its plan stays what it is, since nobody else has it. */
  addHead(settings: QuerySettings, plan: ExecutionPlan, feeds: readonly TaskFeed[] = []): Task {
    const query = this.#query(settings);
    return this.#add(query, headIdentity(settings.query), plan, feeds, settings);
  }

  /** Ends everything at once, without telling anybody: the process is about to end, or the pool that owns it. */
  async close(): Promise<void> {
    clearInterval(this.#progress);
    const reason = new DistqError('cancelled', 'the worker was stopped');
    await Promise.all([...this.#queries.values()].map((query) => this.#drop(query, reason)));
  }

  #setPlan(message: Extract<ToWorker, { kind: 'set_plan' }>): void {
    const { query: id, stage, task, taskCount, worker } = message;
    const identity: TaskIdentity = { query: id, stage, task, taskCount, worker };
    try {
      // T15 cannot happen: coordinator and workers are one build, which the hello checks, so no setting is unknown here.
      const config = SessionConfig.fromEntries(message.config);
      const settings = { query: id, config, placement: message.placement, startNs: message.startNs };
      const query = this.#query(settings);
      this.#injectPlanFault(query);
      const { codec, rewritePlan } = this.#options.services;
      const sent = codec.decodePlan(message.plan);
      const plan = rewritePlan?.(sent, identity, config) ?? sent;
      const workerSettings = { ...settings, config: workerConfig(config) };
      this.#store.put(id, stage, task, this.#add(query, identity, plan, message.feeds, workerSettings));
    } catch (error) {
      const failure = asDistqError(error);
      const location = { stage, task, worker: `worker ${worker}` };
      const located = failure.task === undefined ? failure.with({ task: location }) : failure;
      try {
        // Those who ask for the task get the same error as the coordinator.
        this.#store.fail(id, stage, task, located);
      } catch {
        // The query is over, or the task has a plan already: then nobody waits.
      }
      this.#options.emit({ kind: 'task_failed', query: id, stage, task, error: located });
    }
  }

  #injectPlanFault(query: HostedQuery): void {
    switch (query.faults.at('plan')) {
      case 'kill':
        this.#options.kill?.();
        return;
      case 'throw':
        throw injectedError('a plan');
      case null:
      case 'stall':
      case 'close':
      case 'truncate':
        return;
    }
  }

  #query({ query: id, config, placement }: QuerySettings): HostedQuery {
    let query = this.#queries.get(id);
    if (query === undefined) {
      const { processIndex, kill } = this.#options;
      const faults = FaultInjector.parse(config.get('debug.fault'), { processIndex, mayKill: kill !== null });
      const { memory: pool, emit } = this.#options;
      const isAlone = placement.every((place) => place === processIndex);
      const keyFilters = new KeyFilters(
        pool.register('dynamic filters'),
        isAlone
          ? null
          : (filter): void => {
              emit({ kind: 'join_keys', query: id, filter });
            },
      );
      const rowBounds = new RowBounds(
        isAlone
          ? null
          : (filter): void => {
              emit({ kind: 'row_bounds', query: id, filter });
            },
      );
      query = { id, scope: new CancelScope(), config, faults, placement, tasks: [], keyFilters, rowBounds };
      this.#queries.set(id, query);
      this.#watchProgress();
    }
    return query;
  }

  #add(
    query: HostedQuery,
    identity: TaskIdentity,
    plan: ExecutionPlan,
    declared: readonly TaskFeed[],
    { config, startNs }: Pick<QuerySettings, 'config' | 'startNs'>,
  ): Task {
    const { services, memory: pool } = this.#options;
    const scope = query.scope.child();
    const { stage, task: taskIndex, taskCount } = identity;
    const where = stage === 0 ? 'the head stage' : `stage ${stage} task ${taskIndex}`;
    const memory = pool.register(`exchange of ${where}`);
    const exchange = new TaskExchange({
      identity,
      plan,
      config,
      scope,
      memory,
      faults: query.faults,
      kill: this.#options.kill,
      transport: this.#transport(query),
    });
    const feeds = this.#feeds(identity, plan, declared, config);
    const wishes = new TaskWishes();
    const context = LocalTaskContext.create({
      queryId: identity.query,
      stageId: stage,
      task: { taskIndex, taskCount },
      config,
      scope,
      compiler: services.compiler(config),
      exchange,
      pool,
      keyFilters: query.keyFilters,
      rowBounds: query.rowBounds,
      wishes: { plan, wishes },
      worker: identity.worker,
      workUnits: feeds.of,
    });
    const onFailure = (failed: Task, error: DistqError): void => {
      const { stage: stageId, task: taskNumber } = failed.identity;
      this.#options.emit({ kind: 'task_failed', query: query.id, stage: stageId, task: taskNumber, error });
    };
    const task = new Task({ identity, plan, context, exchange, feeds, scope, memory, wishes, startNs, onFailure });
    query.tasks.push(task);
    return task;
  }

  #feeds(
    { query, stage, task, taskCount }: TaskIdentity,
    plan: ExecutionPlan,
    feeds: readonly TaskFeed[],
    config: SessionConfig,
  ): TaskFeeds {
    const { emit } = this.#options;
    return new TaskFeeds({
      plan,
      task: { taskIndex: task, taskCount },
      feeds,
      config,
      demand: (feed, count) => {
        emit({ kind: 'work_unit_demand', query, stage, task, feed, count });
      },
      leave: (feed) => {
        emit({ kind: 'work_unit_leave', query, stage, task, feed });
      },
    });
  }

  #workUnits({ query, stage, task, feed, units, ended }: Extract<ToWorker, { kind: 'work_units' }>): void {
    // A query that is over wants none.
    const tasks = this.#queries.get(query)?.tasks ?? [];
    const found = tasks.find(({ identity }) => identity.stage === stage && identity.task === task);
    found?.feeds.receive(feed, units, ended);
  }

  #transport(query: HostedQuery): Transport {
    const { processIndex, token, build } = this.#options;
    return {
      address: (worker) => {
        const place = query.placement[worker];
        if (place === processIndex) return null;
        const address = place === undefined ? undefined : this.#addresses[place];
        if (address === undefined) throw new DistqError('protocol', `worker ${worker} has no address`);
        return address;
      },
      hello: (request) => encodeHello({ ...request, token, build }),
      local: async (request) => {
        const task = await this.#store.get(request.query, request.stage, request.task, query.scope);
        return { task, partitions: task.requested(request).map((partition) => partition.take()) };
      },
    };
  }

  get #server(): RequestServer {
    const { token, build, kill } = this.#options;
    return {
      readHello: (fields) => decodeHello(fields, { token, build }),
      task: (request, scope) => this.#store.get(request.query, request.stage, request.task, scope),
      senderOptions: ({ query: id }: PartitionRequest) => {
        const query = this.#queries.get(id);
        if (query === undefined) throw new DistqError('cancelled', `query ${id} is over`);
        const isTiny = query.config.get('debug.windows') === 'tiny';
        return { faults: query.faults, kill, maxFrameBytes: isTiny ? TINY_FRAME_BYTES : MAX_FRAME_BYTES };
      },
    };
  }

  /** Snapshots come after everything is closed and has settled; every task that got a plan reports, executed or not (L11). */
  async #endQuery(id: QueryId, reason: DistqError): Promise<void> {
    const { emit, memory } = this.#options;
    const query = this.#queries.get(id);
    let leaks: string[] = [];
    if (query !== undefined) {
      const drained = await this.#drop(query, reason);
      const collect = query.config.get('distributed.collect_metrics');
      for (const task of query.tasks) {
        const metrics = task.report();
        if (!collect) continue;
        const { stage, task: taskNumber } = task.identity;
        if (query.faults.at('metrics') === 'kill') this.#options.kill?.();
        emit({ kind: 'task_metrics', query: id, stage, task: taskNumber, metrics });
      }
      // Other queries of the process have their own memory; only an idle process can tell a leak.
      if (this.#queries.size === 0) leaks = [...memory.holders(), ...(drained ? [] : ['work that did not end'])];
    } else {
      this.#store.close(id, reason);
    }
    emit({ kind: 'query_closed', query: id, leaks });
  }

  async #drop(query: HostedQuery, reason: DistqError): Promise<boolean> {
    this.#queries.delete(query.id);
    this.#watchProgress();
    query.scope.cancel(reason);
    this.#store.close(query.id, reason);
    for (const task of query.tasks) {
      task.close();
      this.#reported.delete(task);
    }
    const drained = await query.scope.drained(DRAIN_MS);
    for (const task of query.tasks) task.release();
    query.keyFilters.free();
    return drained;
  }

  /** One timer for the whole process while it has queries. */
  #watchProgress(): void {
    if (this.#queries.size === 0) {
      clearInterval(this.#progress);
      this.#progress = undefined;
      return;
    }
    this.#progress ??= setInterval(() => {
      this.#tellProgress();
    }, PROGRESS_MS).unref();
  }

  #tellProgress(): void {
    if (this.#options.backlog() > 0) return;
    for (const { id, tasks } of this.#queries.values()) {
      const changed: TaskProgress[] = [];
      for (const task of tasks) {
        const { rows, state } = task;
        const mark = state === 'running' ? rows : -1 - rows;
        if (!task.executed || this.#reported.get(task) === mark) continue;
        this.#reported.set(task, mark);
        changed.push({ stage: task.identity.stage, task: task.identity.task, rows, state });
      }
      if (changed.length > 0) this.#options.emit({ kind: 'progress', query: id, tasks: changed });
    }
  }
}

/** A reason whose own kind stays in the text only: where it arrives it is an end, and the coordinator has the real error already. */
function asCancel(reason: DistqError): DistqError {
  return reason.kind === 'cancelled' ? reason : new DistqError('cancelled', reason.message, { cause: reason });
}

/** Rows per batch between stages are set apart from those inside the head, which the user reads. */
function workerConfig(config: SessionConfig): SessionConfig {
  const rows = config.get('distributed.shuffle_batch_size');
  return rows === 0 ? config : config.with('execution.batch_size', String(rows));
}
