import type { SessionConfig } from '../config/session-config.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { AnalyzeExec } from '../physical/operators/analyze-exec.js';
import { CoalescePartitionsExec } from '../physical/operators/coalesce-partitions-exec.js';
import { builtInHandlers, type DistributionHandlers } from './handlers.js';
import { hasBoundary } from './network-boundary.js';
import { whyNotDistributed } from './not-distributed.js';
import { DistributedAnalyzeExec } from './operators/distributed-analyze-exec.js';
import { DistributedExec } from './operators/distributed-exec.js';
import { dropUnneededShuffleOrder } from './passes/drop-unneeded-shuffle-order.js';
import { injectNetworkBoundaries } from './passes/inject-network-boundaries.js';
import { insertBroadcast } from './passes/insert-broadcast.js';
import { insertChildrenIsolatorUnion } from './passes/insert-children-isolator-union.js';
import { normalizeCollectJoins } from './passes/normalize-collect-joins.js';
import { partialReduce } from './passes/partial-reduce.js';
import { prepareNetworkBoundaries } from './passes/prepare-network-boundaries.js';
import { pushFetchIntoNetworkCoalesce } from './passes/push-fetch-into-network-coalesce.js';
import { scaleUserPlacedStages } from './passes/scale-user-placed-stages.js';

export interface DistributeOptions {
  readonly config: SessionConfig;
  /** Logical workers: the ceiling of task counts unless `distributed.max_tasks_per_stage` is set. */
  readonly workerCount: number;
  readonly handlers?: DistributionHandlers;
}

export interface DistributedPlan {
  /** Rooted in a DistributedExec; or the given plan itself, untouched, when nothing of it is distributed. */
  readonly plan: ExecutionPlan;
  /** Why nothing is distributed, with the setting that would change it, as one sentence; null when something is. */
  readonly notDistributed: string | null;
}

/**
 * Distributes a finished single-node physical plan: cuts it into stages of tasks. The input's shapes (partial and final aggregates,
 * hash repartitions, collected joins, merges) steer everything; nothing of the query is looked at again.
 *
 * Source: DistributedQueryPlanner in datafusion-contrib/datafusion-distributed 4.0; distributed planner reference, 4.1.
 */
export function distribute(plan: ExecutionPlan, options: DistributeOptions): DistributedPlan {
  if (plan instanceof DistributedExec) return { plan, notDistributed: null };
  if (plan instanceof AnalyzeExec) {
    const input = distribute(plan.input, options);
    if (input.notDistributed !== null) return { plan, notDistributed: input.notDistributed };
    return { plan: new DistributedAnalyzeExec(input.plan, plan.verbose), notDistributed: null };
  }
  return hasBoundary(plan) ? distributeUserPlaced(plan, options) : distributeAutomatically(plan, options);
}

function distributeAutomatically(plan: ExecutionPlan, options: DistributeOptions): DistributedPlan {
  const { config, workerCount, handlers = builtInHandlers } = options;
  const broadcastJoins = config.get('distributed.broadcast_joins');
  const setMaximum = config.get('distributed.max_tasks_per_stage');
  const maxTasks = setMaximum > 0 ? setMaximum : Math.max(1, workerCount);

  let next = normalizeCollectJoins(plan, {
    targetPartitions: config.get('execution.target_partitions'),
    broadcastJoins,
  });
  // The head is one stream; a node to gather it also gives the plan's top a boundary.
  if (next.properties.partitioning.count > 1) next = new CoalescePartitionsExec(next);
  if (broadcastJoins) next = insertBroadcast(next);
  if (config.get('distributed.children_isolator_unions')) next = insertChildrenIsolatorUnion(next);
  next = injectNetworkBoundaries(next, { config, handlers, maxTasks });
  next = prepareNetworkBoundaries(next);
  if (!hasBoundary(next)) return { plan, notDistributed: whyNotDistributed(plan, { config, handlers, maxTasks }) };
  if (config.get('distributed.partial_reduce')) next = partialReduce(next);
  next = pushFetchIntoNetworkCoalesce(next);
  next = dropUnneededShuffleOrder(next);
  return { plan: new DistributedExec(next), notDistributed: null };
}

/** Boundaries that the plan came with, from a custom rule or a plan file: their task counts stand, leaves are fitted to them. */
function distributeUserPlaced(plan: ExecutionPlan, options: DistributeOptions): DistributedPlan {
  const { config, handlers = builtInHandlers } = options;
  const scaled = scaleUserPlacedStages(plan, { config, handlers });
  const next = dropUnneededShuffleOrder(pushFetchIntoNetworkCoalesce(prepareNetworkBoundaries(scaled)));
  if (!hasBoundary(next)) return { plan: next, notDistributed: 'every stage of the plan has one task' };
  return { plan: new DistributedExec(next), notDistributed: null };
}
