import type { CancelScope } from '../base/cancel-scope.js';
import type { MetricValue, TaskState } from '../base/metrics.js';
import { QueryRun } from '../cluster/coordinator/query-run.js';
import { WorkerPool } from '../cluster/coordinator/worker-pool.js';
import { heap } from '../columnar/heap.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { SessionConfig } from '../config/session-config.js';
import type { TaskMetricsStore } from '../distributed/task-metrics.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import type { Registries } from './registries.js';
import { workerServices } from './worker-services.js';

/** What the tasks of a run told, by task; the head is stage 0. */
export interface RunMetrics {
  readonly store: TaskMetricsStore;
  /** About the run as a whole. */
  readonly root: readonly MetricValue[];
}

/** How far a task is, for progress lines. */
export interface TaskProgressReport {
  readonly stage: number;
  readonly task: number;
  readonly state: TaskState;
  readonly rows: number;
}

export interface RunningQuery {
  /** To be read once. */
  readonly batches: AsyncIterable<RecordBatch>;
  /** Tasks that ran, or were to run, in child processes. */
  readonly tasksInChildren: number;
  /** Complete once the rows have been read or given up. */
  readonly metrics: RunMetrics;
  /** The promise's outcome, or the query's error when that comes first. */
  orFailure<T>(promise: Promise<T>): Promise<T>;
}

/** Runs plans on the session's processes; children are started when a query is first worth it and kept for the next. */
export class Runner {
  readonly #registries: Registries;
  #pool: WorkerPool | undefined;

  constructor(registries: Registries) {
    this.#registries = registries;
  }

  run(
    plan: ExecutionPlan,
    config: SessionConfig,
    scope: CancelScope,
    onProgress?: (tasks: readonly TaskProgressReport[]) => void,
  ): RunningQuery {
    this.#pool ??= this.#makePool(config);
    const run = new QueryRun({
      pool: this.#pool,
      codec: this.#registries.codec,
      plan,
      config,
      scope,
      handlers: this.#registries.plugins.handlers,
      onlyHere: this.#registries.plugins.onlyInThisProcess,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    return {
      batches: run.batches(),
      get tasksInChildren() {
        return run.tasksInChildren;
      },
      orFailure: (promise) => run.orFailure(promise),
      metrics: {
        store: run.metrics,
        get root() {
          return run.rootMetrics;
        },
      },
    };
  }

  #makePool(config: SessionConfig): WorkerPool {
    const heapDebug = {
      poison: config.get('debug.poison'),
      highAddresses: config.get('debug.high_addresses'),
      hotReuse: config.get('debug.reuse') === 'hot',
    };
    // The modes are the process's: they hold from the first allocation on, or not at all.
    if (Object.values(heapDebug).includes(true) && heap.usedBytes === 0) heap.configure(heapDebug);
    return new WorkerPool({
      services: workerServices(this.#registries),
      // The entry lies beside this module, as tsc wrote it and in the bundle.
      workerUrl: new URL('./worker-main.js', import.meta.url),
      memoryBytes: config.get('distq.memory_bytes'),
      heapDebug,
      plugins: this.#registries.plugins.modules,
    });
  }

  /** Process ids of the children that run now. */
  get childPids(): readonly number[] {
    return this.#pool?.childPids ?? [];
  }

  /** Kills the children without asking. */
  kill(): void {
    this.#pool?.kill();
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
