import { invariant } from '../../base/errors.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { EncodedNode } from '../../expr/expr-codec.js';
import { countField, onlyChild } from '../../physical/encoded-fields.js';
import { withPartitioning } from '../../physical/equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import { OperatorBase } from '../../physical/operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../../physical/plan-properties.js';
import type { TaskContext } from '../../physical/task-context.js';
import { broadcastStream } from './broadcast-stream.js';

/**
 * The head of a broadcast stage: replays each of its N input partitions to every consumer task. Virtual partition v serves input
 * partition `v mod N`; consumer task c owns the virtual partitions [N·c, N·c + N).
 *
 * Shape:  N × consumer tasks partitions; each input partition is pulled once, whoever asks first.
 */
export class BroadcastExec extends OperatorBase {
  readonly name = 'BroadcastExec';
  readonly input: ExecutionPlan;
  readonly consumerTasks: number;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan, consumerTasks: number) {
    super();
    invariant(consumerTasks >= 1, `a broadcast to ${consumerTasks} tasks`);
    this.input = input;
    this.consumerTasks = consumerTasks;
    this.schema = input.schema;
    this.children = [input];
    const count = input.properties.partitioning.count * consumerTasks;
    this.properties = withPartitioning(input.properties, unknownPartitioning(count));
  }

  /** The input partition behind a virtual partition. */
  inputPartition(partition: number): number {
    return partition % this.input.properties.partitioning.count;
  }

  /** The consumer task that a virtual partition belongs to. */
  consumer(partition: number): number {
    return Math.floor(partition / this.input.properties.partitioning.count);
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    invariant(input !== undefined, 'a broadcast has one child');
    return new BroadcastExec(input, this.consumerTasks);
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [false];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return this.input.statistics();
  }

  describe(): string {
    const inputPartitions = this.input.properties.partitioning.count;
    return `BroadcastExec: input_partitions=${inputPartitions}, consumer_tasks=${this.consumerTasks}, output_partitions=${inputPartitions * this.consumerTasks}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return broadcastStream(this, partition, context);
  }
}

export const broadcastCodec: OperatorCodec<BroadcastExec> = {
  kind: 'BroadcastExec',
  is: (plan) => plan instanceof BroadcastExec,
  encode: (plan) => ({ consumerTasks: plan.consumerTasks }),
  decode: (fields: EncodedNode, children: readonly ExecutionPlan[]): BroadcastExec =>
    new BroadcastExec(onlyChild(fields, children), countField(fields, 'consumerTasks')),
};
