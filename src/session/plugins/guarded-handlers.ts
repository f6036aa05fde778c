import { DistqError } from '../../base/errors.js';
import { workerUrl } from '../../base/worker-url.js';
import { workerCount } from '../../cluster/coordinator/hosting.js';
import { type SessionConfig, settingName } from '../../config/session-config.js';
import {
  describeValue,
  problemOfRewrite,
  problemOfScaledLeaf,
  taskCountOf,
} from '../../distributed/handlers/check-answers.js';
import type {
  DesiredTaskCountHandler,
  RouteTasksHandler,
  RoutingRequest,
  ScaleUpLeafHandler,
} from '../../distributed/handlers.js';
import { boundariesOf } from '../../distributed/network-boundary.js';
import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { taskNodes } from '../../distributed/task-nodes.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type {
  DesiredTaskCount,
  PlanningContext,
  RouteRequest,
  RouteTasks,
  ScaleUpLeaf,
  TaskLeaf,
  WorkerContext,
} from './plugin-api.js';
import { guarded, pluginFault } from './plugin-fault.js';
import type { PluginIdentity, RegisteredRewrite } from './plugin-set.js';

/*
 * Handlers of plug-ins as the planner calls them: what they throw and what nonsense they answer becomes one sentence with the plug-in's
 * file, the handler, and what to do.
 */

function contextOf(config: SessionConfig): PlanningContext {
  return {
    workerCount: workerCount(config),
    targetPartitions: config.get('execution.target_partitions'),
    setting: (name) => config.get(settingName(name)),
  };
}

function wrongAnswer(plugin: PluginIdentity, handler: string, problem: string, hint: string): DistqError {
  return pluginFault('plan', plugin, `${handler} answers ${problem}`, { hint });
}

export function guardDesiredTaskCount(plugin: PluginIdentity, handler: DesiredTaskCount): DesiredTaskCountHandler {
  return (node, config) => {
    const part = `desiredTaskCount for ${node.name}`;
    const answer: unknown = guarded('plan', plugin, part, () => handler(node, contextOf(config)));
    if (answer === undefined) return undefined;
    const count = taskCountOf(answer);
    if ('problem' in count) {
      throw wrongAnswer(plugin, part, count.problem, 'answer undefined, an integer of at least 1, or maximum(n)');
    }
    return { ...count, origin: `plug-in ${plugin.name}` };
  };
}

export function guardScaleUpLeaf(plugin: PluginIdentity, handler: ScaleUpLeaf): ScaleUpLeafHandler {
  return (leaf, taskCount, config) => {
    const part = `scaleUpLeaf for ${leaf.name}`;
    const answer: unknown = guarded('plan', plugin, part, () => handler(leaf, taskCount, contextOf(config)));
    if (answer === undefined) return undefined;
    const problem = problemOfScaledLeaf(leaf, taskCount, answer);
    if (problem !== null) {
      throw wrongAnswer(
        plugin,
        part,
        problem,
        'answer undefined, or a leaf with the same columns and a variant per task',
      );
    }
    // The check above saw that it is one.
    return answer as ExecutionPlan;
  };
}

export function guardRouteTasks(plugin: PluginIdentity, handler: RouteTasks): RouteTasksHandler {
  return (request) => {
    const part = `routeTasks for stage ${request.stage}`;
    const urls = Array.from({ length: request.workerCount }, (_, worker) => workerUrl(worker));
    const answer: unknown = guarded('plan', plugin, part, () => handler(routeRequest(request, urls)));
    if (answer === undefined) return undefined;
    const hint = `answer undefined, or one URL of request.workers for each of the stage's tasks`;
    if (!Array.isArray(answer)) throw wrongAnswer(plugin, part, `${describeValue(answer)} and no list of URLs`, hint);
    if (answer.length !== request.taskCount) {
      throw wrongAnswer(plugin, part, `${answer.length} URLs for ${request.taskCount} tasks`, hint);
    }
    return answer.map((url: unknown) => {
      const worker = urls.indexOf(String(url));
      if (worker >= 0) return worker;
      const known = `${urls[0]}${urls.length === 1 ? '' : ` … ${urls.at(-1)}`}`;
      throw wrongAnswer(plugin, part, `${describeValue(url)}, which is no worker (there is ${known})`, hint);
    });
  };
}

function routeRequest({ stage, taskCount, plan }: RoutingRequest, workers: readonly string[]): RouteRequest {
  return {
    stage,
    taskCount,
    workers,
    plan,
    inputs: boundariesOf(plan).flatMap(({ inputStage }) =>
      inputStage.state === 'local' ? [] : [{ stage: inputStage.id, workers: inputStage.workers.map(workerUrl) }],
    ),
    leaves: (taskIndex) => leavesOf(plan, taskIndex, taskCount),
  };
}

function leavesOf(plan: ExecutionPlan, taskIndex: number, taskCount: number): TaskLeaf[] {
  return taskNodes(plan, { taskIndex, taskCount }).flatMap(({ node, task }) => {
    if (node.children.length > 0) return [];
    const leaf = node instanceof DistributedLeafExec ? node.variant(task.taskIndex) : node;
    return [{ leaf, taskIndex: task.taskIndex, taskCount: task.taskCount }];
  });
}

/** What a task's plan is rewritten for. */
export interface RewrittenTask {
  readonly stage: number;
  readonly taskIndex: number;
  readonly taskCount: number;
  readonly worker: number;
}

/** Runs the rewrite handlers over a task's plan. */
export function rewriteWorkerPlan(
  plan: ExecutionPlan,
  rewrites: readonly RegisteredRewrite[],
  task: RewrittenTask,
  config: SessionConfig,
): ExecutionPlan {
  const context: WorkerContext = { ...contextOf(config), ...task, worker: workerUrl(task.worker) };
  let current = plan;
  for (const { plugin, rewrite } of rewrites) {
    const before = current;
    const after: unknown = guarded('execution', plugin, 'rewriteWorkerPlan', () => rewrite(before, context));
    const problem = problemOfRewrite(before, after);
    if (problem !== null) {
      throw pluginFault('execution', plugin, `rewriteWorkerPlan answers ${problem}`, {
        hint: 'keep the columns, the partitions and the shape of the tree, or return the plan as it is',
      });
    }
    // The check above saw that it is one.
    current = after as ExecutionPlan;
  }
  return current;
}
