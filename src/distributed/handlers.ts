/**
 * What people who embed distq may decide about a distributed plan. Of each chain the first answer wins; built-ins stand last.
 * Source: distributed planner reference, 8.1.
 */
import type { StageId } from '../base/ids.js';
import type { SessionConfig } from '../config/session-config.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { fileScanTaskCount, scaleUpFileScan } from './handlers/file-scan.js';
import { routeTasks } from './handlers/route-tasks.js';
import type { TaskCount } from './task-count.js';

/**
 * How many tasks a node wants; asked for every node, not only leaves. A leaf that gets no answer runs in one task. Whoever answers
 * more than one for a leaf of their own must also scale it up, or every task reads all of it.
 */
export type DesiredTaskCountHandler = (node: ExecutionPlan, config: SessionConfig) => TaskCount | undefined;

/**
 * A leaf for a stage of so many tasks: a DistributedLeafExec with one variant each, a node that looks at its task context by itself,
 * or a small subtree. A leaf that gets no answer stays as it is.
 */
export type ScaleUpLeafHandler = (
  leaf: ExecutionPlan,
  taskCount: number,
  config: SessionConfig,
) => ExecutionPlan | undefined;

export interface RoutingRequest {
  readonly stage: StageId;
  readonly taskCount: number;
  /** The stage's plan; its boundaries are remote already, with the workers of the stages below. */
  readonly plan: ExecutionPlan;
  /** Logical workers are 0 … workerCount − 1; worker 0 lives in the coordinator. */
  readonly workerCount: number;
}

/** The logical worker of each task of a stage. */
export type RouteTasksHandler = (request: RoutingRequest) => readonly number[] | undefined;

export interface DistributionHandlers {
  readonly desiredTaskCount: readonly DesiredTaskCountHandler[];
  readonly scaleUpLeaf: readonly ScaleUpLeafHandler[];
  readonly routeTasks: readonly RouteTasksHandler[];
}

/** File scans by bytes, tasks over workers in turn. */
export const builtInHandlers: DistributionHandlers = {
  desiredTaskCount: [fileScanTaskCount],
  scaleUpLeaf: [scaleUpFileScan],
  routeTasks: [routeTasks],
};

/** Custom handlers in their order, then the built-in ones. */
export function withBuiltIns(custom: Partial<DistributionHandlers>): DistributionHandlers {
  return {
    desiredTaskCount: [...(custom.desiredTaskCount ?? []), ...builtInHandlers.desiredTaskCount],
    scaleUpLeaf: [...(custom.scaleUpLeaf ?? []), ...builtInHandlers.scaleUpLeaf],
    routeTasks: [...(custom.routeTasks ?? []), ...builtInHandlers.routeTasks],
  };
}

/** The answer of the first handler that gives one. */
export function firstAnswer<A extends readonly unknown[], R>(
  handlers: readonly ((...args: A) => R | undefined)[],
  ...args: A
): R | undefined {
  for (const handler of handlers) {
    const answer = handler(...args);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
