import { DistqError, invariant } from '../base/errors.js';
import { HEAD_STAGE, type StageId } from '../base/ids.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import type { DistributedTaskContext } from '../physical/task-context.js';
import { builtInHandlers, type DistributionHandlers, firstAnswer } from './handlers.js';
import { NetworkBoundary } from './network-boundary.js';
import { DistributedExec } from './operators/distributed-exec.js';
import { specialise } from './specialise.js';
import { remoteStage } from './stage.js';

/** A stage as it is handed to workers. */
export interface DispatchedStage {
  readonly id: StageId;
  /** Logical worker of each task. */
  readonly workers: readonly number[];
  /** The stage's plan: its boundaries name the workers they read from; leaves and unions are those of all tasks. */
  readonly plan: ExecutionPlan;
  /** What one task gets: no DistributedLeafExec, no other task's files. Made on demand, a new plan at each call. */
  taskPlan(taskIndex: number): ExecutionPlan;
}

export interface DispatchedPlan {
  /** The head stage, in place: run by the coordinator as task 0 of 1. */
  readonly head: DispatchedStage;
  /** Producers before consumers. */
  readonly stages: readonly DispatchedStage[];
}

/**
 * Gives every task of a distributed plan a worker and turns its stages remote, bottom-up, so that a task's plan holds only boundaries
 * with addresses. A plan without DistributedExec is all head.
 *
 * Errors: `plan` when a routing handler gives another number of workers than tasks, or a worker that does not exist.
 * Source: distributed runtime reference, 1.2 and 1.4.
 */
export function dispatchPlan(
  plan: ExecutionPlan,
  {
    workerCount,
    handlers = builtInHandlers,
  }: { readonly workerCount: number; readonly handlers?: DistributionHandlers },
): DispatchedPlan {
  const stages: DispatchedStage[] = [];
  const visit = (node: ExecutionPlan): ExecutionPlan => {
    const children = node.children.map(visit);
    const rebuilt = children.every((child, index) => child === node.children[index])
      ? node
      : node.withNewChildren(children);
    if (!(rebuilt instanceof NetworkBoundary) || rebuilt.inputStage.state === 'remote') return rebuilt;
    const { inputStage } = rebuilt;
    const request = { stage: inputStage.id, taskCount: inputStage.tasks, plan: inputStage.plan, workerCount };
    const workers = firstAnswer(handlers.routeTasks, request);
    invariant(workers !== undefined, 'the built-in routing always answers');
    checkWorkers(workers, inputStage.id, inputStage.tasks, workerCount);
    stages.push(dispatchedStage(inputStage.id, workers, inputStage.plan));
    return rebuilt.withInputStage(remoteStage(inputStage, workers));
  };
  const root = plan instanceof DistributedExec ? plan.input : plan;
  return { head: dispatchedStage(HEAD_STAGE, [0], visit(root)), stages };
}

function dispatchedStage(id: StageId, workers: readonly number[], plan: ExecutionPlan): DispatchedStage {
  return {
    id,
    workers,
    plan,
    taskPlan(taskIndex: number): ExecutionPlan {
      const task: DistributedTaskContext = { taskIndex, taskCount: workers.length };
      return specialise(plan, task);
    },
  };
}

function checkWorkers(workers: readonly number[], stage: StageId, taskCount: number, workerCount: number): void {
  if (workers.length !== taskCount) {
    throw new DistqError('plan', `stage ${stage} has ${taskCount} tasks and was routed to ${workers.length} workers`);
  }
  const strange = workers.find((worker) => !Number.isInteger(worker) || worker < 0 || worker >= workerCount);
  if (strange !== undefined) {
    throw new DistqError('plan', `stage ${stage} was routed to worker ${strange}; there are ${workerCount}`);
  }
}
