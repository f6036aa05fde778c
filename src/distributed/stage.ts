import { invariant } from '../base/errors.js';
import { type StageId, stageId } from '../base/ids.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';

/** A stage that is planned: the network boundary above it owns its plan. */
export interface LocalStage {
  readonly state: 'local';
  /** From 1; `UNNUMBERED` until boundaries are prepared. */
  readonly id: StageId;
  readonly tasks: number;
  readonly plan: ExecutionPlan;
}

/** A stage whose tasks were handed to workers: its plan is gone, its addresses are known. */
export interface RemoteStage {
  readonly state: 'remote';
  readonly id: StageId;
  readonly tasks: number;
  /** Partitions of one task. */
  readonly partitionCount: number;
  /** Logical worker of each task. */
  readonly workers: readonly number[];
}

/**
 * A connected part of a plan between network boundaries, run by `tasks` tasks of one shape.
 * Planning makes `LocalStage`s; dispatch turns them into `RemoteStage`s, producers first.
 */
export type Stage = LocalStage | RemoteStage;

/** The id of a stage whose boundary may still be elided. */
const UNNUMBERED: StageId = stageId(-1);

export function localStage(plan: ExecutionPlan, tasks: number, id: StageId = UNNUMBERED): LocalStage {
  invariant(Number.isInteger(tasks) && tasks >= 1, `a stage of ${tasks} tasks`);
  return { state: 'local', id, tasks, plan };
}

export function remoteStage(stage: LocalStage, workers: readonly number[]): RemoteStage {
  invariant(
    workers.length === stage.tasks,
    `${workers.length} workers for the ${stage.tasks} tasks of stage ${stage.id}`,
  );
  return {
    state: 'remote',
    id: stage.id,
    tasks: stage.tasks,
    partitionCount: stage.plan.properties.partitioning.count,
    workers,
  };
}

/** Partitions of one task of the stage. */
export function stagePartitionCount(stage: Stage): number {
  return stage.state === 'local' ? stage.plan.properties.partitioning.count : stage.partitionCount;
}

/**
 * The partition count that a stage's title shows: tasks whose top node is hash partitioned share one set of buckets, others have
 * partitions of their own.
 */
export function headerPartitions({ plan, tasks }: LocalStage): number {
  const { kind, count } = plan.properties.partitioning;
  return kind === 'hash' ? count : count * tasks;
}
