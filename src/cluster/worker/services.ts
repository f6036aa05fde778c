import type { SessionConfig } from '../../config/session-config.js';
import type { ExpressionCompiler } from '../../expr/evaluator.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import type { TaskIdentity } from './task-identity.js';

/** What `session/` gives to a process that hosts tasks: its registries, in the form that decoding and running need. */
export interface WorkerServices {
  /** Over every operator, source and function that a task's plan may hold (T16). */
  readonly codec: PlanCodec;
  /** The compiler of a query's expressions; may be the same one for all queries. */
  readonly compiler: (config: SessionConfig) => ExpressionCompiler;
  /** Changes a task's plan before it runs; the head's plan is left alone. */
  readonly rewritePlan?: (plan: ExecutionPlan, task: TaskIdentity, config: SessionConfig) => ExecutionPlan;
}
