import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { countField, onlyChild } from '../encoded-fields.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { limitedStatistics } from '../statistics/limit-statistics.js';
import { type LocalLimitSpec, localLimitStream } from '../streams/local-limit-stream.js';
import type { TaskContext } from '../task-context.js';

/** Passes at most `fetch` rows of each partition. */
export class LocalLimitExec extends OperatorBase implements LocalLimitSpec {
  readonly name = 'LocalLimitExec';
  readonly input: ExecutionPlan;
  override readonly fetch: number;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan, fetch: number) {
    super();
    this.input = input;
    this.fetch = fetch;
    this.schema = input.schema;
    this.children = [input];
    this.properties = input.properties;
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new LocalLimitExec(input!, this.fetch);
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [false];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'lower_equal';
  }

  protected computeStatistics(): Statistics {
    return limitedStatistics(this.input.statistics(), 0, this.fetch, this.properties.partitioning.count);
  }

  describe(): string {
    return `LocalLimitExec: fetch=${this.fetch}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return localLimitStream(this, partition, context);
  }
}

export const localLimitExecCodec: OperatorCodec<LocalLimitExec> = {
  kind: 'LocalLimitExec',
  is: (plan) => plan instanceof LocalLimitExec,
  encode: (plan) => ({ fetch: plan.fetch }),
  decode: (fields, children) => new LocalLimitExec(onlyChild(fields, children), countField(fields, 'fetch')),
};
