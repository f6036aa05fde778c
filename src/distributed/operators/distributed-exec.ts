import { DistqError, invariant } from '../../base/errors.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { onlyChild } from '../../physical/encoded-fields.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import { OperatorBase } from '../../physical/operator-base.js';
import type { PlanProperties } from '../../physical/plan-properties.js';

/**
 * The root of a distributed plan; its child is the head stage. It only describes: the coordinator takes the head, hands the stages to
 * workers and runs it.
 */
export class DistributedExec extends OperatorBase {
  readonly name = 'DistributedExec';
  readonly input: ExecutionPlan;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan) {
    super();
    this.input = input;
    this.schema = input.schema;
    this.properties = input.properties;
    this.children = [input];
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    invariant(input !== undefined, 'a DistributedExec has one child');
    return new DistributedExec(input);
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return this.input.statistics();
  }

  describe(): string {
    return 'DistributedExec';
  }

  execute(): AsyncIterable<RecordBatch> {
    throw new DistqError('internal', 'a DistributedExec was executed as an operator; a coordinator runs its stages');
  }
}

/** For plans that are stored. */
export const distributedCodec: OperatorCodec<DistributedExec> = {
  kind: 'DistributedExec',
  is: (plan) => plan instanceof DistributedExec,
  encode: () => ({}),
  decode: (fields, children) => new DistributedExec(onlyChild(fields, children)),
};
