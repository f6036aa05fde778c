import type { DistqError } from '../base/errors.js';
import type { ArrowRecordBatch } from '../columnar/arrow/to-arrow.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { Schema } from '../columnar/schema.js';
import { planStages } from '../distributed/plan-stages.js';
import { renderDiff } from '../explain/diff.js';
import type { Finding } from '../explain/lint/finding.js';
import { lintPlan } from '../explain/lint/index.js';
import { type MetricsDocument, metricsDocument } from '../explain/metrics-table.js';
import { checkShown, type PlanTextOptions } from '../explain/formats.js';
import type { PlanMetrics } from '../explain/plan-metrics.js';
import { displayPlan } from '../logical/display.js';
import { displayIndent } from '../physical/display.js';
import { shownFacts } from './explain-text.js';
import { statisticsOnly } from '../sources/statistics/statistics-source.js';
import { type ExplainFormat, planText, withLineEnd } from './explain-text.js';
import type { PlannedQuery } from './plan-query.js';
import type { RunningQuery, TaskProgressReport } from './runner.js';
import type { SessionContext } from './session-context.js';
import { storedPlan } from './stored-plan.js';

export interface ExplainOptions {
  readonly plan?: 'logical' | 'physical' | 'distributed' | 'all';
  readonly format?: ExplainFormat;
  /** Runs the query and adds metrics to the distributed plan. */
  readonly analyze?: boolean;
  /** What the tree tells of tasks: a line per leaf and task, or partition ranges in the titles. */
  readonly taskView?: 'variants' | 'ranges';
  /** Leaves whose variants differ only in their files take one line. */
  readonly collapse?: boolean;
  /** A sentence above the first operator of each kind. */
  readonly annotate?: boolean;
  /** What `lint()` found, for formats that hold it. */
  readonly findings?: readonly Finding[] | undefined;
}

/** How far a stage is; the head is stage 0. */
export interface StageProgress {
  readonly stage: number;
  readonly tasks: number;
  /** Tasks that have ended. */
  readonly finished: number;
  /** Rows given out so far. */
  readonly rows: number;
}

export interface RunOptions {
  /** Called while the query runs, at most four times a second and process, with a line per stage in the order of the plan. */
  readonly onProgress?: (stages: readonly StageProgress[]) => void;
}

/** A planned query. It runs when it is asked for rows, once. */
export class DataFrame {
  readonly schema: Schema;
  readonly plan: PlannedQuery;
  readonly #session: SessionContext;
  #running: RunningQuery | undefined;

  constructor(plan: PlannedQuery, session: SessionContext) {
    this.plan = plan;
    this.schema = plan.physical.schema;
    this.#session = session;
  }

  /** Why the plan runs in one task, as one line with the setting that would change it; null when it is distributed. */
  get notDistributedReason(): string | null {
    return this.plan.notDistributedReason;
  }

  /** Why the plan can be shown and not run (its text has two readings); null when it can be. */
  get notRunnable(): DistqError | null {
    return this.plan.notRunnable ?? null;
  }

  /** The rows as engine batches: each is valid until the next is asked for. */
  batches({ onProgress }: RunOptions = {}): AsyncIterable<RecordBatch> {
    const { runner, config, scope } = this.#session;
    if (this.plan.statisticsOnly.length > 0) throw statisticsOnly(this.plan.statisticsOnly);
    if (this.notRunnable !== null) throw this.notRunnable;
    this.#running ??= runner.run(this.plan.plan, config, scope, onProgress && this.#byStage(onProgress));
    return this.#running.batches;
  }

  #byStage(onProgress: NonNullable<RunOptions['onProgress']>): (tasks: readonly TaskProgressReport[]) => void {
    const stages = planStages(this.plan.plan);
    return (tasks) => {
      onProgress(
        stages.map(({ id, tasks: count }) => {
          const own = tasks.filter(({ stage }) => stage === id);
          return {
            stage: id,
            tasks: count,
            finished: own.filter(({ state }) => state !== 'running').length,
            rows: own.reduce((sum, { rows }) => sum + rows, 0),
          };
        }),
      );
    };
  }

  /** The rows as Arrow record batches, copies that stay valid. */
  async *execute(): AsyncGenerator<ArrowRecordBatch, void, undefined> {
    const { ArrowConverter } = await import('../columnar/arrow/to-arrow.js');
    const converter = new ArrowConverter(this.schema);
    for await (const batch of this.batches()) yield* converter.convert(batch);
  }

  /** All rows as Arrow record batches: only for results that fit the heap. */
  async collect(): Promise<ArrowRecordBatch[]> {
    const batches: ArrowRecordBatch[] = [];
    for await (const batch of this.execute()) batches.push(batch);
    return batches;
  }

  /** The metrics per stage, task and operator of the run, once its rows have been read (or given up); null when it did not run. */
  metrics(): MetricsDocument | null {
    return this.#running === undefined ? null : metricsDocument(this.plan.plan, this.#running.metrics.store);
  }

  /**
   * The promise's outcome, or the running query's error when that comes first: for whoever waits on something of its own (a reader)
   * between two batches.
   */
  orFailure<T>(promise: Promise<T>): Promise<T> {
    return this.#running === undefined ? promise : this.#running.orFailure(promise);
  }

  /** Tasks of the run that were given to child processes. */
  get tasksInChildren(): number {
    return this.#running?.tasksInChildren ?? 0;
  }

  /** The distributed plan with the metrics of the run. */
  textWithMetrics(format: ExplainFormat, detail: PlanMetrics['format'], options: PlanTextOptions = {}): string {
    const metrics = this.#running?.metrics;
    return planText(this.plan.plan, format, {
      ...options,
      metrics: metrics === undefined ? undefined : { ...metrics, format: detail },
    });
  }

  /** What a reader of the plan should know: rows that would be lost, work that is dealt out badly, each with advice. */
  lint(): Finding[] {
    return lintPlan(this.plan.plan);
  }

  /** What another plan has otherwise, node by node. */
  diff(other: DataFrame, which: 'physical' | 'distributed' = 'distributed'): string {
    return which === 'physical'
      ? renderDiff(this.plan.physical, other.plan.physical)
      : renderDiff(this.plan.plan, other.plan.plan);
  }

  /** The plan as text, ending with a line end. `config` error for what the format cannot show. */
  async explain(options: ExplainOptions = {}): Promise<string> {
    const { plan = 'distributed', format = 'tree', analyze = false, ...shown } = options;
    checkShown(format, shown);
    // What cannot be run must not be stored as if it could.
    const isStored = format === 'json' && this.notRunnable === null;
    const look = isStored ? { ...shown, stored: storedPlan(this.plan, this.#session) } : shown;
    const sections: [title: string, text: string][] = [];
    const { logical } = this.plan;
    if ((plan === 'logical' || plan === 'all') && logical !== null) {
      sections.push(['logical plan', withLineEnd(displayPlan(logical))]);
    }
    if (plan === 'physical' || plan === 'all') {
      sections.push([
        'physical plan',
        withLineEnd(displayIndent(this.plan.physical, shownFacts(this.#session.config))),
      ]);
    }
    if (plan === 'distributed' || plan === 'all') {
      if (analyze) await drain(this.batches());
      const text = analyze ? this.textWithMetrics(format, 'aggregated', look) : planText(this.plan.plan, format, look);
      sections.push(['distributed plan', text]);
    }
    const [only] = sections;
    if (sections.length === 1 && only !== undefined) return only[1];
    return sections.map(([title, text]) => `== ${title} ==\n${text}`).join('\n');
  }
}

async function drain(batches: AsyncIterable<RecordBatch>): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
