import { invariant } from '../base/errors.js';
import { HEAD_STAGE, type StageId } from '../base/ids.js';
import type { MetricsRecorder, MetricValue, TaskState } from '../base/metrics.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import type { DistributedTaskContext } from '../physical/task-context.js';
import { taskNodes } from './task-nodes.js';

/** Moments of one task, in ns after the start of the query (one clock over all processes of a machine); null = did not happen. */
export interface TaskTimes {
  readonly planAddedNs: number | null;
  readonly planExecutedNs: number | null;
  readonly planFinishedNs: number | null;
}

/** What a task tells when it ends. `nodes` are in the order of `taskNodes`: the position is the key, no names travel. */
export interface TaskMetrics {
  /** `finished`, or `cancelled` when somebody stopped reading before the end. */
  readonly state: TaskState;
  readonly times: TaskTimes;
  readonly nodes: readonly (readonly MetricValue[])[];
}

/**
 * The metrics of the nodes that one task runs, over the plan the task has (specialised, on its worker). Taken after its streams are
 * closed, so that what operators record while closing counts.
 */
export function snapshotTaskMetrics(
  plan: ExecutionPlan,
  task: DistributedTaskContext,
  recorderOf: (node: ExecutionPlan) => MetricsRecorder | undefined,
): MetricValue[][] {
  return taskNodes(plan, task).map(({ node }) => recorderOf(node)?.snapshot() ?? []);
}

/** The metrics of one node of a stage plan: one entry per task that ran it. */
export type NodeMetrics = ReadonlyMap<number, readonly MetricValue[]>;

/**
 * The metrics of one query's tasks as they arrive, by stage and task; the head is stage 0. The coordinator keeps one per query.
 */
export class TaskMetricsStore {
  readonly #stages = new Map<StageId, Map<number, { worker: number; metrics: TaskMetrics }>>();

  /** Takes what a task sent. A task tells once; a second time is a bug of its worker. */
  put(stage: StageId, task: number, worker: number, metrics: TaskMetrics): void {
    let tasks = this.#stages.get(stage);
    if (tasks === undefined) {
      tasks = new Map();
      this.#stages.set(stage, tasks);
    }
    invariant(!tasks.has(task), `task ${task} of stage ${stage} sent its metrics twice`);
    tasks.set(task, { worker, metrics });
  }

  get(stage: StageId, task: number): TaskMetrics | undefined {
    return this.#stages.get(stage)?.get(task)?.metrics;
  }

  worker(stage: StageId, task: number): number | undefined {
    return this.#stages.get(stage)?.get(task)?.worker;
  }

  has(stage: StageId, task: number): boolean {
    return this.#stages.get(stage)?.has(task) ?? false;
  }

  /**
   * The metrics of every node of a stage's plan (the coordinator's, with all variants and union children), by the node's position in
   * pre-order over that plan: a node object that occurs twice has two (L19). Only what tasks sent counts, never a live counter (L20). Tasks that have not reported are left out; positions that no task ran have an empty map.
   */
  byNode(stage: StageId, plan: ExecutionPlan, taskCount: number): NodeMetrics[] {
    const nodes: Map<number, readonly MetricValue[]>[] = [];
    for (let taskIndex = 0; taskIndex < taskCount; taskIndex++) {
      const reported = this.get(stage, taskIndex);
      const visited = taskNodes(plan, { taskIndex, taskCount });
      invariant(
        reported === undefined || reported.nodes.length === visited.length,
        `task ${taskIndex} of stage ${stage} sent metrics of ${reported?.nodes.length ?? 0} nodes and runs ${visited.length}`,
      );
      for (const [index, { position }] of visited.entries()) {
        while (nodes.length <= position) nodes.push(new Map());
        const values = reported?.nodes[index];
        if (values !== undefined) nodes[position]?.set(taskIndex, values);
      }
    }
    return nodes;
  }

  /** The head's metrics by position. */
  head(plan: ExecutionPlan): NodeMetrics[] {
    return this.byNode(HEAD_STAGE, plan, 1);
  }
}
