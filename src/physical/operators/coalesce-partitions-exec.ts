import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { nullableCountField, onlyChild } from '../encoded-fields.js';
import { clearOrderings, clearPartitionConstants, withPartitioning } from '../equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { limitedStatistics } from '../statistics/limit-statistics.js';
import { type CoalescePartitionsSpec, coalescePartitionsStream } from '../streams/coalesce-partitions-stream.js';
import type { TaskContext } from '../task-context.js';

/** Gathers all partitions into one, in no order. */
export class CoalescePartitionsExec extends OperatorBase implements CoalescePartitionsSpec {
  readonly name = 'CoalescePartitionsExec';
  readonly input: ExecutionPlan;
  override readonly fetch: number | null;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan, fetch: number | null = null) {
    super();
    this.input = input;
    this.fetch = fetch;
    this.schema = input.schema;
    this.children = [input];
    const gathered = clearPartitionConstants(clearOrderings(input.properties));
    this.properties = withPartitioning(gathered, unknownPartitioning(1));
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new CoalescePartitionsExec(input!, this.fetch);
  }

  override withFetch(fetch: number): ExecutionPlan {
    return new CoalescePartitionsExec(this.input, fetch);
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [false];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return limitedStatistics(this.input.statistics(), 0, this.fetch);
  }

  describe(): string {
    return this.fetch === null ? 'CoalescePartitionsExec' : `CoalescePartitionsExec: fetch=${this.fetch}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return coalescePartitionsStream(this, partition, context);
  }
}

export const coalescePartitionsExecCodec: OperatorCodec<CoalescePartitionsExec> = {
  kind: 'CoalescePartitionsExec',
  is: (plan) => plan instanceof CoalescePartitionsExec,
  encode: (plan) => ({ fetch: plan.fetch }),
  decode: (fields, children) =>
    new CoalescePartitionsExec(onlyChild(fields, children), nullableCountField(fields, 'fetch')),
};
