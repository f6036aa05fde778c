import { invariant } from '../base/errors.js';
import { type Statistics, unknownStatistics } from '../catalog/statistics.js';
import type { Schema } from '../columnar/schema.js';
import type { CardinalityEffect, ExecutionPlan } from '../physical/execution-plan.js';
import { OperatorBase } from '../physical/operator-base.js';
import type { PlanProperties } from '../physical/plan-properties.js';
import type { DistributedTaskContext } from '../physical/task-context.js';
import type { ProducerRange } from './addressing.js';
import { type LocalStage, type Stage, stagePartitionCount } from './stage.js';

export type BoundaryKind = 'shuffle' | 'coalesce' | 'broadcast';

/**
 * A node of a consumer stage whose input is another stage. While its stage is local the stage's plan is its only child; once the
 * stage was handed to workers it is a leaf that reads through the task's exchange.
 */
export abstract class NetworkBoundary extends OperatorBase {
  abstract readonly kind: BoundaryKind;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly inputStage: Stage;
  readonly children: readonly ExecutionPlan[];

  constructor(schema: Schema, properties: PlanProperties, inputStage: Stage) {
    super();
    this.schema = schema;
    this.properties = properties;
    this.inputStage = inputStage;
    this.children = inputStage.state === 'local' ? [inputStage.plan] : [];
  }

  /** The same boundary over another state of its stage; `properties` stay. */
  abstract withInputStage(stage: Stage): NetworkBoundary;

  /** The stage with the head through which `consumerTasks` consumers address their partitions. */
  abstract withProducerHead(stage: LocalStage, consumerTasks: number): LocalStage;

  /** What a consumer task reads: one connection each. */
  abstract ranges(consumer: DistributedTaskContext): ProducerRange[];

  withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan {
    const [plan] = children;
    if (this.inputStage.state === 'remote') {
      invariant(plan === undefined, `${this.name} over a remote stage has no children`);
      return this;
    }
    invariant(plan !== undefined && children.length === 1, `${this.name} has one child`);
    return this.withInputStage({ ...this.inputStage, plan });
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return this.children.map(() => false);
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return this.inputStage.state === 'local'
      ? this.inputStage.plan.statistics()
      : unknownStatistics(this.schema.length);
  }

  /** `[Stage 3] => NetworkShuffleExec` */
  protected head(): string {
    return `[Stage ${this.inputStage.id}] => ${this.name}`;
  }

  protected get stagePartitions(): number {
    return stagePartitionCount(this.inputStage);
  }
}

/** The boundaries of one stage, top to bottom as printed. What lies below a boundary belongs to another stage. */
export function boundariesOf(plan: ExecutionPlan): NetworkBoundary[] {
  if (plan instanceof NetworkBoundary) return [plan];
  return plan.children.flatMap(boundariesOf);
}

export function hasBoundary(plan: ExecutionPlan): boolean {
  return plan instanceof NetworkBoundary || plan.children.some(hasBoundary);
}
