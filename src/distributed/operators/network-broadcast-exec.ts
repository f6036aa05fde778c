import { DistqError } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { EncodedNode } from '../../expr/expr-codec.js';
import { clearOrderings, clearPartitionConstants, withPartitioning } from '../../physical/equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import { unknownPartitioning } from '../../physical/plan-properties.js';
import type { DistributedTaskContext, TaskContext } from '../../physical/task-context.js';
import { fanInRanges, type ProducerRange } from '../addressing.js';
import { NetworkBoundary } from '../network-boundary.js';
import { type LocalStage, localStage, type Stage } from '../stage.js';
import { decodeBoundary, encodeBoundary } from './boundary-codec.js';
import { fanInStream } from './boundary-streams.js';
import { BroadcastExec } from './broadcast-exec.js';

/**
 * Gives every consumer task all rows of the producer stage: partition p of a consumer is the merge of the producers' partition p.
 *
 * Shape:  P partitions per consumer task, those of the broadcast input; rows in order of arrival.
 * Needs:  a stage whose top node is a BroadcastExec with one copy per consumer task.
 */
export class NetworkBroadcastExec extends NetworkBoundary {
  readonly name = 'NetworkBroadcastExec';
  readonly kind = 'broadcast';

  /** A boundary over a broadcast that `producerTasks` tasks run. `plan` error if it is none. */
  static over(plan: ExecutionPlan, producerTasks: number): NetworkBroadcastExec {
    if (!(plan instanceof BroadcastExec)) {
      throw new DistqError('plan', `a network broadcast needs a BroadcastExec below it, not ${plan.name}`);
    }
    const partitioning = unknownPartitioning(plan.input.properties.partitioning.count);
    const merged = clearPartitionConstants(clearOrderings(plan.properties));
    return new NetworkBroadcastExec(
      plan.schema,
      withPartitioning(merged, partitioning),
      localStage(plan, producerTasks),
    );
  }

  withInputStage(stage: Stage): NetworkBroadcastExec {
    return new NetworkBroadcastExec(this.schema, this.properties, stage);
  }

  withProducerHead(stage: LocalStage, consumerTasks: number): LocalStage {
    const { plan } = stage;
    if (!(plan instanceof BroadcastExec)) {
      throw new DistqError('plan', `a network broadcast needs a BroadcastExec below it, not ${plan.name}`);
    }
    return { ...stage, plan: new BroadcastExec(plan.input, consumerTasks) };
  }

  ranges(consumer: DistributedTaskContext): ProducerRange[] {
    return fanInRanges(this.properties.partitioning.count, this.inputStage.tasks, consumer);
  }

  describe(): string {
    const perConsumer = this.properties.partitioning.count;
    return `${this.head()}: partitions_per_consumer=${perConsumer}, stage_partitions=${this.stagePartitions}, input_tasks=${this.inputStage.tasks}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return fanInStream(this, partition, context);
  }
}

export const networkBroadcastCodec: OperatorCodec<NetworkBroadcastExec> = {
  kind: 'NetworkBroadcastExec',
  is: (plan) => plan instanceof NetworkBroadcastExec,
  encode: (plan, codec) => encodeBoundary(plan, codec),
  decode(fields: EncodedNode, children: readonly ExecutionPlan[], codec: PlanCodec): NetworkBroadcastExec {
    const { schema, properties, stage } = decodeBoundary(fields, children, codec);
    return new NetworkBroadcastExec(schema, properties, stage);
  },
};
