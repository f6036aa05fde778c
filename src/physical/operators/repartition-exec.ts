import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { displaySortExprs } from '../../expr/physical-expr-display.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import { booleanField, encodePartitioning, onlyChild, partitioningField } from '../encoded-fields.js';
import { clearOrderings, clearPartitionConstants, outputOrdering, withPartitioning } from '../equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { Partitioning, PlanProperties } from '../plan-properties.js';
import { type RepartitionSpec, repartitionStream } from '../streams/repartition-stream.js';
import type { TaskContext } from '../task-context.js';
import { partitioningText } from './operator-text.js';

/** Deals rows out to new partitions, by turns or by hash. */
export class RepartitionExec extends OperatorBase implements RepartitionSpec {
  readonly name = 'RepartitionExec';
  readonly partitioning: Partitioning;
  readonly input: ExecutionPlan;
  /** Merge the sorted input partitions inside every output partition. */
  readonly preserveOrder: boolean;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  /** `preserveOrder` falls away where the input has no order or only one partition, which keeps it anyway. */
  constructor(
    partitioning: Partitioning,
    input: ExecutionPlan,
    { preserveOrder = false }: { preserveOrder?: boolean } = {},
  ) {
    super();
    this.partitioning = partitioning;
    this.input = input;
    this.schema = input.schema;
    this.children = [input];
    const inputPartitions = input.properties.partitioning.count;
    this.preserveOrder = preserveOrder && inputPartitions > 1 && outputOrdering(input.properties) !== null;
    let properties = input.properties;
    if (!this.preserveOrder && inputPartitions > 1) properties = clearOrderings(properties);
    if (inputPartitions > 1) properties = clearPartitionConstants(properties);
    this.properties = withPartitioning(properties, partitioning);
  }

  /** The order the input partitions are merged by, or null. */
  get sortExprs(): readonly PhysicalSortExpr[] | null {
    return this.preserveOrder ? outputOrdering(this.input.properties) : null;
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new RepartitionExec(this.partitioning, input!, { preserveOrder: this.preserveOrder });
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [this.preserveOrder || this.input.properties.partitioning.count <= 1];
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [this.partitioning.kind === 'hash'];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return this.input.statistics();
  }

  describe(): string {
    const inputPartitions = this.input.properties.partitioning.count;
    let text = `RepartitionExec: partitioning=${partitioningText(this.partitioning)}, input_partitions=${inputPartitions}`;
    if (this.preserveOrder) text += ', preserve_order=true';
    else if (inputPartitions <= 1 && outputOrdering(this.input.properties) !== null) {
      text += ', maintains_sort_order=true';
    }
    const sortExprs = this.sortExprs;
    return sortExprs === null ? text : `${text}, sort_exprs=${displaySortExprs(sortExprs)}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return repartitionStream(this, partition, context);
  }
}

export const repartitionExecCodec: OperatorCodec<RepartitionExec> = {
  kind: 'RepartitionExec',
  is: (plan) => plan instanceof RepartitionExec,
  encode: (plan, codec) => ({
    partitioning: encodePartitioning(plan.partitioning, codec),
    preserveOrder: plan.preserveOrder,
  }),
  decode: (fields, children, codec) =>
    new RepartitionExec(partitioningField(fields, 'partitioning', codec), onlyChild(fields, children), {
      preserveOrder: booleanField(fields, 'preserveOrder'),
    }),
};
