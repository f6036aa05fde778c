import type { LogicalPlan } from '../logical/plan.js';
import type { ExecutionPlan } from './execution-plan.js';
import { optimizePhysicalPlan } from './optimizer.js';
import { planPhysical } from './planner/physical-planner.js';
import type { PlanOptions } from './planner/plan-options.js';

/** The runnable physical plan of an optimised logical plan: what `EXPLAIN` shows as `physical_plan`. */
export function createPhysicalPlan(logical: LogicalPlan, options: PlanOptions): ExecutionPlan {
  const initial = planPhysical(logical, options);
  options.onPlan?.('initial_physical_plan', initial);
  return optimizePhysicalPlan(initial, options.config, options.onPlan);
}
