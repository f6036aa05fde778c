import { DistqError, invariant } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { EncodedNode } from '../../expr/expr-codec.js';
import { withPartitioning } from '../../physical/equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import type { Partitioning } from '../../physical/plan-properties.js';
import type { DistributedTaskContext, TaskContext } from '../../physical/task-context.js';
import { coalesceGroupSize, coalesceRanges, coalesceSource, type ProducerRange } from '../addressing.js';
import { NetworkBoundary } from '../network-boundary.js';
import { type LocalStage, localStage, type Stage } from '../stage.js';
import { decodeBoundary, encodeBoundary } from './boundary-codec.js';
import { coalesceStream } from './boundary-streams.js';

/**
 * Lines up the partitions of many producer tasks without repartitioning: each consumer task reads a contiguous group of producers, and
 * each of its partitions is exactly one producer partition, or empty where its group is shorter than the largest.
 *
 * Shape:  `P × ceil(T / C)` partitions of the producers' kind; the order inside each partition is kept.
 */
export class NetworkCoalesceExec extends NetworkBoundary {
  readonly name = 'NetworkCoalesceExec';
  readonly kind = 'coalesce';

  /** A boundary over a plan that `producerTasks` tasks run, read by `consumerTasks` tasks (1 where distribution is automatic). */
  static over(plan: ExecutionPlan, producerTasks: number, consumerTasks: number): NetworkCoalesceExec {
    if (consumerTasks < 1) throw new DistqError('plan', 'a network coalesce needs at least one consumer task');
    const { partitioning } = plan.properties;
    if (partitioning.count < 1) {
      throw new DistqError('plan', 'a network coalesce needs at least one partition per input task');
    }
    const scaled: Partitioning = {
      ...partitioning,
      count: partitioning.count * coalesceGroupSize(producerTasks, consumerTasks),
    };
    return new NetworkCoalesceExec(
      plan.schema,
      withPartitioning(plan.properties, scaled),
      localStage(plan, producerTasks),
    );
  }

  withInputStage(stage: Stage): NetworkCoalesceExec {
    return new NetworkCoalesceExec(this.schema, this.properties, stage);
  }

  withProducerHead(stage: LocalStage): LocalStage {
    return stage;
  }

  ranges(consumer: DistributedTaskContext): ProducerRange[] {
    return coalesceRanges(this.#producerPartitions(consumer), this.inputStage.tasks, consumer);
  }

  /** The producer partition behind a partition of the given consumer task, or undefined where there is none. */
  source(partition: number, consumer: DistributedTaskContext): { producerTask: number; partition: number } | undefined {
    return coalesceSource(partition, this.#producerPartitions(consumer), this.inputStage.tasks, consumer);
  }

  #producerPartitions(consumer: DistributedTaskContext): number {
    const { taskIndex, taskCount } = consumer;
    invariant(taskIndex < taskCount, `task ${taskIndex} of ${taskCount} reads stage ${this.inputStage.id}`);
    const groupSize = coalesceGroupSize(this.inputStage.tasks, taskCount);
    const perTask = this.properties.partitioning.count / groupSize;
    invariant(
      Number.isInteger(perTask) && perTask >= 1,
      `${this.properties.partitioning.count} partitions over groups of ${groupSize} tasks of stage ${this.inputStage.id}`,
    );
    return perTask;
  }

  describe(): string {
    return `${this.head()}: output_partitions=${this.properties.partitioning.count}, input_tasks=${this.inputStage.tasks}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return coalesceStream(this, partition, context);
  }
}

export const networkCoalesceCodec: OperatorCodec<NetworkCoalesceExec> = {
  kind: 'NetworkCoalesceExec',
  is: (plan) => plan instanceof NetworkCoalesceExec,
  encode: (plan, codec) => encodeBoundary(plan, codec),
  decode(fields: EncodedNode, children: readonly ExecutionPlan[], codec: PlanCodec): NetworkCoalesceExec {
    const { schema, properties, stage } = decodeBoundary(fields, children, codec);
    return new NetworkCoalesceExec(schema, properties, stage);
  },
};
