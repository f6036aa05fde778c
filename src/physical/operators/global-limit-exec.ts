import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { countField, nullableCountField, onlyChild } from '../encoded-fields.js';
import { withPartitioning } from '../equivalence.js';
import {
  type CardinalityEffect,
  type Distribution,
  type ExecutionPlan,
  type OperatorCodec,
  SINGLE_PARTITION,
} from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { limitedStatistics } from '../statistics/limit-statistics.js';
import { type GlobalLimitSpec, globalLimitStream } from '../streams/global-limit-stream.js';
import type { TaskContext } from '../task-context.js';

/** Drops the first `skip` rows of its one input partition and passes the next `fetch` (null = all). */
export class GlobalLimitExec extends OperatorBase implements GlobalLimitSpec {
  readonly name = 'GlobalLimitExec';
  readonly input: ExecutionPlan;
  readonly skip: number;
  override readonly fetch: number | null;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan, skip: number, fetch: number | null) {
    super();
    this.input = input;
    this.skip = skip;
    this.fetch = fetch;
    this.schema = input.schema;
    this.children = [input];
    this.properties = withPartitioning(input.properties, unknownPartitioning(1));
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new GlobalLimitExec(input!, this.skip, this.fetch);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [SINGLE_PARTITION];
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
    return limitedStatistics(this.input.statistics(), this.skip, this.fetch);
  }

  describe(): string {
    return `GlobalLimitExec: skip=${this.skip}, fetch=${this.fetch ?? 'None'}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return globalLimitStream(this, partition, context);
  }
}

export const globalLimitExecCodec: OperatorCodec<GlobalLimitExec> = {
  kind: 'GlobalLimitExec',
  is: (plan) => plan instanceof GlobalLimitExec,
  encode: (plan) => ({ skip: plan.skip, fetch: plan.fetch }),
  decode: (fields, children) =>
    new GlobalLimitExec(onlyChild(fields, children), countField(fields, 'skip'), nullableCountField(fields, 'fetch')),
};
