import type { CancelScope } from '../base/cancel-scope.js';
import type { QueryId, StageId } from '../base/ids.js';
import { MetricsRecorder } from '../base/metrics.js';
import type { MemoryConsumer, MemoryPool } from '../columnar/memory-pool.js';
import type { RowBound } from '../columnar/rows/row-bound.js';
import type { SessionConfig } from '../config/session-config.js';
import type { ExpressionCompiler } from '../expr/evaluator.js';
import type { PhysicalExpr } from '../expr/physical-expr.js';
import type { ExecutionPlan } from './execution-plan.js';
import type { KeyFilters } from './key-filters.js';
import { InstrumentedStream, type PullTimer, type StreamDebug } from './record-batch-stream.js';
import { type RowBounds, TaskRowBounds } from './row-bounds.js';
import type {
  DistributedTaskContext,
  Exchange,
  OutputWishes,
  RecordBatchStream,
  TaskContext,
  WorkUnits,
} from './task-context.js';
import { pace } from '../base/time-slice.js';

export interface TaskOptions {
  readonly queryId: QueryId;
  readonly stageId: StageId;
  readonly task: DistributedTaskContext;
  readonly config: SessionConfig;
  readonly scope: CancelScope;
  readonly compiler: ExpressionCompiler;
  readonly exchange: Exchange;
  readonly pool: MemoryPool;
  /** The query's, shared by its tasks in this process; whoever made it frees it. */
  readonly keyFilters: KeyFilters;
  /** The query's, shared like these. */
  readonly rowBounds: RowBounds;
  /** What the readers of the task's top node wait for; without it every pull is a wish. */
  readonly wishes?: { readonly plan: ExecutionPlan; readonly wishes: OutputWishes };
  /** Logical worker; default 0. */
  readonly worker?: number;
  /** What feeds a leaf of the task; without it no leaf has a feed. */
  readonly workUnits?: (plan: ExecutionPlan) => WorkUnits | null;
}

/** What all views of one task share. */
class TaskState {
  readonly options: TaskOptions;
  readonly debug: StreamDebug;
  readonly shared = new Map<ExecutionPlan, Map<string, unknown>>();
  readonly metrics = new Map<ExecutionPlan, MetricsRecorder>();
  readonly dynamicFilters = new Map<number, PhysicalExpr>();
  readonly rowBounds: TaskRowBounds;
  readonly cleanups: (() => void)[] = [];

  constructor(options: TaskOptions) {
    this.options = options;
    this.rowBounds = new TaskRowBounds(options.rowBounds);
    const seed = options.config.get('debug.interleave');
    this.debug = {
      poison: options.config.get('debug.poison'),
      random: seed === 0 ? null : seededRandom(seed),
    };
  }
}

/** The TaskContext of a task that runs in this process, as every task does. */
export class LocalTaskContext implements TaskContext {
  readonly queryId: QueryId;
  readonly stageId: StageId;
  readonly task: DistributedTaskContext;
  readonly worker: number;
  readonly config: SessionConfig;
  readonly scope: CancelScope;
  readonly taskScope: CancelScope;
  readonly compiler: ExpressionCompiler;
  readonly exchange: Exchange;
  readonly keyFilters: KeyFilters;
  readonly #state: TaskState;
  /** The stream whose operator holds this view; its children's time is not its own. */
  readonly #timer: PullTimer | null;

  private constructor(state: TaskState, task: DistributedTaskContext, scope: CancelScope, timer: PullTimer | null) {
    this.#state = state;
    this.#timer = timer;
    this.queryId = state.options.queryId;
    this.stageId = state.options.stageId;
    this.task = task;
    this.worker = state.options.worker ?? 0;
    this.config = state.options.config;
    this.scope = scope;
    this.taskScope = state.options.scope;
    this.compiler = state.options.compiler;
    this.exchange = state.options.exchange;
    this.keyFilters = state.options.keyFilters;
  }

  static create(options: TaskOptions): LocalTaskContext {
    return new LocalTaskContext(new TaskState(options), options.task, options.scope, null);
  }

  execute(plan: ExecutionPlan, partition: number): RecordBatchStream {
    return new InstrumentedStream({
      plan,
      partition,
      parentScope: this.scope,
      metrics: this.metrics(plan),
      debug: this.#state.debug,
      parentTimer: this.#timer,
      start: (scope, timer) => plan.execute(partition, new LocalTaskContext(this.#state, this.task, scope, timer)),
    });
  }

  shared<T>(plan: ExecutionPlan, key: string, make: () => T): T {
    let objects = this.#state.shared.get(plan);
    if (objects === undefined) {
      objects = new Map();
      this.#state.shared.set(plan, objects);
    }
    if (objects.has(key)) {
      // The key names one kind of object per operator; whoever made it made a T.
      return objects.get(key) as T;
    }
    const made = make();
    objects.set(key, made);
    return made;
  }

  atEnd(cleanup: () => void): void {
    this.#state.cleanups.push(cleanup);
  }

  /**
   * Ends the task: its streams are closed and its scope is cancelled by now (or are cancelled here), and what its partitions shared is
   * freed. Whoever runs a task calls it once, whatever happened.
   */
  close(): void {
    this.taskScope.cancel();
    for (const cleanup of this.#state.cleanups.splice(0)) cleanup();
  }

  memory(plan: ExecutionPlan, role?: string): MemoryConsumer {
    const where = this.stageId === 0 ? 'the head stage' : `stage ${this.stageId} task ${this.task.taskIndex}`;
    return this.#state.options.pool.register(`${plan.name}${role === undefined ? '' : ` (${role})`} in ${where}`);
  }

  metrics(plan: ExecutionPlan): MetricsRecorder {
    let recorder = this.#state.metrics.get(plan);
    if (recorder === undefined) {
      recorder = new MetricsRecorder();
      this.#state.metrics.set(plan, recorder);
    }
    return recorder;
  }

  /** The recorder of a node that was asked for one, for snapshots. */
  recorderOf(plan: ExecutionPlan): MetricsRecorder | undefined {
    return this.#state.metrics.get(plan);
  }

  dynamicFilter(id: number): PhysicalExpr | null {
    return this.#state.dynamicFilters.get(id) ?? null;
  }

  setDynamicFilter(id: number, predicate: PhysicalExpr): void {
    this.#state.dynamicFilters.set(id, predicate);
  }

  rowBounds(id: number): readonly RowBound[] | null {
    return this.#state.rowBounds.current(id);
  }

  publishRowBounds(id: number, bounds: readonly RowBound[]): void {
    this.#state.rowBounds.publish(id, bounds);
  }

  withTask(task: DistributedTaskContext): TaskContext {
    return new LocalTaskContext(this.#state, task, this.scope, this.#timer);
  }

  withScope(scope: CancelScope): TaskContext {
    return new LocalTaskContext(this.#state, this.task, scope, null);
  }

  wishes(plan: ExecutionPlan): OutputWishes | null {
    const top = this.#state.options.wishes;
    return top?.plan === plan ? top.wishes : null;
  }

  workUnits(plan: ExecutionPlan): WorkUnits | null {
    return this.#state.options.workUnits?.(plan) ?? null;
  }

  async waiting<T>(promise: PromiseLike<T>): Promise<T> {
    const startMs = performance.now();
    try {
      return await promise;
    } finally {
      if (this.#timer !== null) this.#timer.childMs += performance.now() - startMs;
    }
  }

  pace(): Promise<void> | undefined {
    return pace();
  }
}

/** mulberry32: a small seeded generator for the debug modes. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
