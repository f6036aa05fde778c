import type { DataSource } from '../../catalog/data-source.js';
import type { Schema } from '../../columnar/schema.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';

export interface PlanOptions {
  readonly config: SessionConfig;
  /** Makes the source of a VALUES list from its rows of constant expressions; without it VALUES is not supported. */
  readonly valuesSource?: (schema: Schema, rows: readonly (readonly PhysicalExpr[])[]) => DataSource;
  /** Called with the plan after each step: `initial_physical_plan`, then each rule's name (EXPLAIN VERBOSE). */
  readonly onPlan?: (step: string, plan: ExecutionPlan) => void;
}
