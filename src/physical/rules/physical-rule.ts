import type { SessionConfig } from '../../config/session-config.js';
import type { ExecutionPlan } from '../execution-plan.js';

/** One pass over a whole plan. Rules keep the plan's schema; what they may rely on stands in `optimizer.ts`. */
export interface PhysicalRule {
  /** DataFusion's name, as EXPLAIN VERBOSE prints it. */
  readonly name: string;
  optimize(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan;
}
