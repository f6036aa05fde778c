import type { TaskState } from '../base/metrics.js';
import { planStages } from '../distributed/plan-stages.js';
import type { TaskMetricsStore } from '../distributed/task-metrics.js';
import { taskNodes } from '../distributed/task-nodes.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { LeafExec } from '../physical/leaf/leaf-exec.js';
import { formatCount, formatDuration } from './metric-text.js';

/** The metrics of a query by task: what `--metrics-format json` prints and tables are made of. The head is stage 0. */
export interface MetricsDocument {
  readonly version: 1;
  readonly stages: readonly TaskRow[];
  readonly operators: readonly OperatorRow[];
}

export interface TaskRow {
  readonly stage: number;
  readonly task: number;
  /** Logical worker; null for a task that did not report in time. */
  readonly worker: number | null;
  readonly state: TaskState | 'unreported';
  /** What the stage's top node gave, over the task's partitions. */
  readonly output_rows: number;
  /** What the task's leaves read from files or memory; null where it reads other stages only. */
  readonly input_rows: number | null;
  /** Computing time over all its nodes. */
  readonly elapsed_compute_ns: number;
  /** Moments after the start of the query. */
  readonly plan_added_at_ns: number | null;
  readonly plan_executed_at_ns: number | null;
  readonly plan_finished_at_ns: number | null;
}

export interface OperatorRow {
  readonly stage: number;
  readonly task: number;
  readonly worker: number | null;
  /** Position in pre-order over the stage's plan. */
  readonly node: number;
  readonly operator: string;
  readonly output_rows: number;
  readonly elapsed_compute_ns: number;
  /** Everything else the operator recorded; times end in `_ns`. */
  readonly [metric: string]: string | number | null;
}

/** One row per task of every stage, and one per node that a task runs: also for tasks that did not report, and with zeros. */
export function metricsDocument(plan: ExecutionPlan, store: TaskMetricsStore): MetricsDocument {
  const stages: TaskRow[] = [];
  const operators: OperatorRow[] = [];
  for (const stage of planStages(plan).sort((a, b) => a.id - b.id)) {
    for (let taskIndex = 0; taskIndex < stage.tasks; taskIndex++) {
      const reported = store.get(stage.id, taskIndex);
      const worker = store.worker(stage.id, taskIndex) ?? null;
      const nodes = taskNodes(stage.plan, { taskIndex, taskCount: stage.tasks });
      const rows = nodes.map(({ node, position }, index): OperatorRow => {
        const row: Record<string, string | number | null> = {};
        for (const { name, unit, value } of reported?.nodes[index] ?? []) {
          row[unit === 'time' ? `${name}_ns` : name] = value;
        }
        const { output_rows = 0, elapsed_compute_ns = 0, ...others } = row;
        return {
          stage: stage.id,
          task: taskIndex,
          worker,
          node: position,
          operator: node.name,
          output_rows: Number(output_rows),
          elapsed_compute_ns: Number(elapsed_compute_ns),
          ...others,
        };
      });
      operators.push(...rows);
      const leaves = rows.filter((_, index) => readsData(nodes[index]?.node));
      stages.push({
        stage: stage.id,
        task: taskIndex,
        worker,
        state: reported?.state ?? 'unreported',
        output_rows: rows[0]?.output_rows ?? 0,
        input_rows: leaves.length === 0 ? null : sum(leaves.map((row) => row.output_rows)),
        elapsed_compute_ns: sum(rows.map((row) => row.elapsed_compute_ns)),
        plan_added_at_ns: reported?.times.planAddedNs ?? null,
        plan_executed_at_ns: reported?.times.planExecutedNs ?? null,
        plan_finished_at_ns: reported?.times.planFinishedNs ?? null,
      });
    }
  }
  return { version: 1, stages, operators };
}

function readsData(node: ExecutionPlan | undefined): boolean {
  return (
    node instanceof LeafExec ||
    (node !== undefined && (node.name === 'DataSourceExec' || node.name === 'DistributedLeafExec'))
  );
}

/** `1.25`; nothing where the median is 0. */
function ratioText(rows: number, middle: number): string {
  return middle === 0 ? '' : (rows / middle).toFixed(2);
}

/** The middle of the values, the mean of the two middle ones of an even number; 0 of none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? sorted[0] ?? 0)) / 2;
}

/** Rows of a stage's busiest task over those of its median task: 1 is even. Null for one task, or a median of 0. */
export function rowSkew(rows: readonly number[]): number | null {
  const middle = median(rows);
  return rows.length < 2 || middle === 0 ? null : Math.max(...rows) / middle;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A table for people: headings and cells; numbers stand to the right. */
export interface MetricsTable {
  readonly columns: readonly { readonly heading: string; readonly align: 'left' | 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

/** One row per task: where it ran, how it ended, what it read and gave, how that compares within its stage, how long it computed. */
export function taskTable({ stages }: MetricsDocument): MetricsTable {
  const medians = new Map<number, number>();
  for (const { stage } of stages) {
    if (medians.has(stage)) continue;
    medians.set(stage, median(stages.filter((row) => row.stage === stage).map((row) => row.output_rows)));
  }
  return {
    columns: [
      { heading: 'stage', align: 'left' },
      { heading: 'task', align: 'right' },
      { heading: 'worker', align: 'right' },
      { heading: 'state', align: 'left' },
      { heading: 'rows in', align: 'right' },
      { heading: 'rows out', align: 'right' },
      { heading: '/ median', align: 'right' },
      { heading: 'compute', align: 'right' },
      { heading: 'finished at', align: 'right' },
    ],
    rows: stages.map((row) => [
      stageName(row.stage),
      String(row.task),
      row.worker === null ? '' : String(row.worker),
      row.state,
      row.input_rows === null ? '' : formatCount(row.input_rows),
      formatCount(row.output_rows),
      stages.filter(({ stage }) => stage === row.stage).length === 1
        ? ''
        : ratioText(row.output_rows, medians.get(row.stage) ?? 0),
      formatDuration(row.elapsed_compute_ns),
      row.plan_finished_at_ns === null ? '' : formatDuration(row.plan_finished_at_ns),
    ]),
  };
}

/** One row per task and operator. */
export function operatorTable({ operators }: MetricsDocument): MetricsTable {
  const count = (value: string | number | null | undefined): string =>
    typeof value === 'number' ? formatCount(value) : '';
  // Only leaves with a feed have them.
  const fed = operators.some((row) => row['work_units'] !== undefined);
  return {
    columns: [
      { heading: 'stage', align: 'left' },
      { heading: 'task', align: 'right' },
      { heading: 'node', align: 'right' },
      { heading: 'operator', align: 'left' },
      { heading: 'rows', align: 'right' },
      { heading: 'batches', align: 'right' },
      ...(fed ? [{ heading: 'work units', align: 'right' } as const] : []),
      { heading: 'compute', align: 'right' },
    ],
    rows: operators.map((row) => [
      stageName(row.stage),
      String(row.task),
      String(row.node),
      row.operator,
      formatCount(row.output_rows),
      count(row['output_batches']),
      ...(fed ? [count(row['work_units'])] : []),
      formatDuration(row.elapsed_compute_ns),
    ]),
  };
}

function stageName(stage: number): string {
  return stage === 0 ? 'head' : String(stage);
}
