import { setMaxListeners } from 'node:events';
import { DistqError } from '../../base/errors.js';
import type { MetricUnit } from '../../base/metrics.js';
import { workerUrl } from '../../base/worker-url.js';
import { settingName } from '../../config/session-config.js';
import type { TaskContext } from '../task-context.js';
import type { LeafExec } from './leaf-exec.js';
import type { WorkUnit } from './work-unit-feed.js';

/** What a custom leaf sees of the task it runs in. */
export interface LeafContext {
  /** 0 is the head stage. */
  readonly stage: number;
  /** The leaf's place among the tasks that run it; inside a distributed union its own share, not the stage's. */
  readonly taskIndex: number;
  readonly taskCount: number;
  /** URL of the worker that runs the task. */
  readonly worker: string;
  readonly partition: number;
  readonly batchSize: number;
  /** Aborted when the rows are not wanted any more: give it to fetch and the like. */
  readonly signal: AbortSignal;
  /** A setting of the session by name. */
  setting(name: string): boolean | number | string;
  /** Adds to a metric of the leaf; times are in nanoseconds, gauges keep their maximum. */
  metric(name: string, value: number, unit?: MetricUnit): void;
  /** The units of the leaf's feed that this partition takes, one at a time, as it asks for them. */
  units(): AsyncIterableIterator<WorkUnit>;
}

const OWN_METRICS = new Set(['output_rows', 'output_batches', 'elapsed_compute', 'work_units']);

/** The context of one partition of a leaf, over the engine's. */
export class LeafTask implements LeafContext {
  readonly stage: number;
  readonly taskIndex: number;
  readonly taskCount: number;
  readonly worker: string;
  readonly partition: number;
  readonly batchSize: number;
  readonly #leaf: LeafExec;
  readonly #context: TaskContext;
  #abort: AbortController | undefined;
  #unhook: (() => void) | undefined;
  #closed = false;

  constructor(leaf: LeafExec, partition: number, context: TaskContext) {
    this.stage = context.stageId;
    this.taskIndex = context.task.taskIndex;
    this.taskCount = context.task.taskCount;
    this.worker = workerUrl(context.worker);
    this.partition = partition;
    this.batchSize = context.config.get('execution.batch_size');
    this.#leaf = leaf;
    this.#context = context;
  }

  /** Made when it is asked for: most leaves wait for nothing. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      // How many waits a plug-in hangs on it is its own business, and no warning on the user's stderr (engine rule 4.5).
      setMaxListeners(0, abort.signal);
      this.#abort = abort;
      if (this.#closed) abort.abort();
      else {
        this.#unhook = this.#context.scope.onCancel((reason) => {
          abort.abort(reason);
        });
      }
    }
    return this.#abort.signal;
  }

  setting(name: string): boolean | number | string {
    return this.#context.config.get(settingName(name));
  }

  metric(name: string, value: number, unit: MetricUnit = 'count'): void {
    if (!/^[a-z][a-z0-9_]*$/.test(name) || OWN_METRICS.has(name) || !Number.isFinite(value)) {
      throw new DistqError('execution', `${this.#leaf.name} cannot add ${value} to a metric "${name}"`, {
        hint: `give a number and a name of small letters, digits and underscores other than ${[...OWN_METRICS].join(', ')}`,
      });
    }
    this.#context.metrics(this.#leaf).add(name, value, unit);
  }

  async *units(): AsyncGenerator<WorkUnit, void, undefined> {
    const units = this.#context.workUnits(this.#leaf);
    if (units === null) {
      throw new DistqError('execution', `${this.#leaf.name} asks for work units and has no feed`, {
        hint: 'give the leaf a feed: super({ …, feed: workUnitFeed({ units }) })',
      });
    }
    const metrics = this.#context.metrics(this.#leaf);
    // Shows as 0 in a task that got none.
    metrics.add('work_units', 0);
    for (;;) {
      const taken = await this.#context.waiting(units.next(this.#context.scope));
      if (taken === undefined) return;
      metrics.add('work_units', 1);
      yield taken.unit;
    }
  }

  /** Nobody reads on. */
  close(): void {
    this.#closed = true;
    this.#unhook?.();
    this.#abort?.abort();
  }
}
