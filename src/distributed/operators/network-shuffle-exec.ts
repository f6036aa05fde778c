import { DistqError } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { EncodedNode } from '../../expr/expr-codec.js';
import { clearOrderings, clearPartitionConstants } from '../../physical/equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import { RepartitionExec } from '../../physical/operators/repartition-exec.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import type { DistributedTaskContext, TaskContext } from '../../physical/task-context.js';
import { fanInRanges, type ProducerRange } from '../addressing.js';
import { NetworkBoundary } from '../network-boundary.js';
import { type LocalStage, localStage, type Stage } from '../stage.js';
import { fanInStream } from './boundary-streams.js';
import { decodeBoundary, encodeBoundary } from './boundary-codec.js';

/**
 * The all-to-all hash exchange: consumer task c reads its partition p as the hash buckets `P·c + p` of every producer task.
 *
 * Shape:  hash partitioned by the producer's keys, P partitions per consumer task; rows in order of arrival, or merged by the order
 *         that the producers keep where somebody above needs it.
 * Needs:  a stage whose top node is a RepartitionExec by hash, widened to P × consumer tasks buckets.
 */
export class NetworkShuffleExec extends NetworkBoundary {
  readonly name = 'NetworkShuffleExec';
  readonly kind = 'shuffle';

  /** A boundary over a repartition that `producerTasks` tasks run; its bucket count is that of one consumer task. `plan` error if it is none. */
  static over(plan: ExecutionPlan, producerTasks: number): NetworkShuffleExec {
    if (!(plan instanceof RepartitionExec) || plan.properties.partitioning.kind !== 'hash') {
      throw new DistqError('plan', `a network shuffle needs a hash repartition below it, not ${plan.name}`);
    }
    const properties = producerTasks > 1 ? clearPartitionConstants(plan.properties) : plan.properties;
    return new NetworkShuffleExec(plan.schema, properties, localStage(plan, producerTasks));
  }

  withInputStage(stage: Stage): NetworkShuffleExec {
    return new NetworkShuffleExec(this.schema, this.properties, stage);
  }

  /** Merged by order where the properties promise one, else as batches come. */
  get mergesByOrder(): boolean {
    return this.properties.orderings.length > 0 && this.inputStage.tasks > 1;
  }

  withoutOrder(): NetworkShuffleExec {
    return new NetworkShuffleExec(this.schema, clearOrderings(this.properties), this.inputStage);
  }

  withProducerHead(stage: LocalStage, consumerTasks: number): LocalStage {
    const { plan } = stage;
    if (!(plan instanceof RepartitionExec)) {
      throw new DistqError('plan', `a network shuffle needs a hash repartition below it, not ${plan.name}`);
    }
    const count = this.properties.partitioning.count * consumerTasks;
    return {
      ...stage,
      plan: new RepartitionExec({ ...plan.partitioning, count }, plan.input, { preserveOrder: plan.preserveOrder }),
    };
  }

  ranges(consumer: DistributedTaskContext): ProducerRange[] {
    return fanInRanges(this.properties.partitioning.count, this.inputStage.tasks, consumer);
  }

  describe(): string {
    return `${this.head()}: output_partitions=${this.properties.partitioning.count}, input_tasks=${this.inputStage.tasks}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return fanInStream(this, partition, context);
  }
}

export const networkShuffleCodec: OperatorCodec<NetworkShuffleExec> = {
  kind: 'NetworkShuffleExec',
  is: (plan) => plan instanceof NetworkShuffleExec,
  encode: (plan, codec) => encodeBoundary(plan, codec),
  decode(fields: EncodedNode, children: readonly ExecutionPlan[], codec: PlanCodec): NetworkShuffleExec {
    const { schema, properties, stage } = decodeBoundary(fields, children, codec);
    return new NetworkShuffleExec(schema, properties, stage);
  },
};
