import type { RoutingRequest } from '../handlers.js';
import { boundariesOf } from '../network-boundary.js';

/**
 * Where tasks run when nobody else says so: a single task beside the only worker it reads from, or in the coordinator; several over
 * the workers in turn, each stage starting at another one. The choice depends on nothing but the plan, so a run can be repeated.
 *
 * Source: distributed planner reference, 8.2 (which starts at a random worker).
 */
export function routeTasks({ stage, taskCount, plan, workerCount }: RoutingRequest): readonly number[] {
  if (taskCount === 1) return [soleProducer(plan) ?? 0];
  return Array.from({ length: taskCount }, (_, task) => (stage + task) % workerCount);
}

/** The worker of the first stage below that lives on exactly one. */
function soleProducer(plan: RoutingRequest['plan']): number | undefined {
  for (const { inputStage } of boundariesOf(plan)) {
    if (inputStage.state === 'local') continue;
    const [first, ...others] = new Set(inputStage.workers);
    if (first !== undefined && others.length === 0) return first;
  }
  return undefined;
}
