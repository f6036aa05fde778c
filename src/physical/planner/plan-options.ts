import type { SessionConfig } from '../../config/session-config.js';
import type { ExecutionPlan } from '../execution-plan.js';

export interface PlanOptions {
  readonly config: SessionConfig;
  /** Called with the plan after each step: `initial_physical_plan`, then each rule's name (EXPLAIN VERBOSE). */
  readonly onPlan?: (step: string, plan: ExecutionPlan) => void;
}
