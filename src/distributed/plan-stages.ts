import { HEAD_STAGE, type StageId } from '../base/ids.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { boundariesOf } from './network-boundary.js';
import { DistributedExec } from './operators/distributed-exec.js';
import { headerPartitions } from './stage.js';

/** A stage of a plan as readers see it; the head is stage 0 with one task. */
export interface PlanStage {
  readonly id: StageId;
  readonly tasks: number;
  /** The count in the stage's title. */
  readonly partitions: number;
  readonly plan: ExecutionPlan;
}

/**
 * The stages of a plan as the tree shows them: the head first, each stage before its inputs. A plan that is not distributed is all
 * head. Stages that were handed to workers are left out: their plans are gone.
 */
export function planStages(plan: ExecutionPlan): PlanStage[] {
  const head = plan instanceof DistributedExec ? plan.input : plan;
  const stages: PlanStage[] = [];
  const add = (stage: PlanStage): void => {
    stages.push(stage);
    for (const { inputStage } of boundariesOf(stage.plan)) {
      if (inputStage.state === 'local') add({ ...inputStage, partitions: headerPartitions(inputStage) });
    }
  };
  add({ id: HEAD_STAGE, tasks: 1, partitions: head.properties.partitioning.count, plan: head });
  return stages;
}
