import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { DistqError } from '../../base/errors.js';
import { Schema } from '../../columnar/schema.js';
import { outputOrdering, unionProperties } from '../equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { unionStatistics } from '../statistics/union-statistics.js';
import { type UnionSpec, unionStream } from '../streams/union-stream.js';
import type { TaskContext } from '../task-context.js';

/** Fields of the first input; nullable where any input's are. */
export function unionSchema(inputs: readonly ExecutionPlan[]): Schema {
  const [first] = inputs;
  if (first === undefined) throw new DistqError('internal', 'a union without inputs');
  return new Schema(
    first.schema.fields.map((field, i) => ({
      ...field,
      nullable: inputs.some((input) => input.schema.field(i).nullable),
    })),
  );
}

/** All partitions of all inputs, side by side. */
export class UnionExec extends OperatorBase implements UnionSpec {
  readonly name = 'UnionExec';
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(inputs: readonly ExecutionPlan[]) {
    super();
    this.children = inputs;
    this.schema = unionSchema(inputs);
    const count = inputs.reduce((sum, input) => sum + input.properties.partitioning.count, 0);
    this.properties = unionProperties(
      inputs.map((input) => input.properties),
      unknownPartitioning(count),
    );
  }

  withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan {
    return new UnionExec(children);
  }

  /** The output's order is the meet of the inputs': it is maintained for those that have no more than that. */
  override maintainsInputOrder(): readonly boolean[] {
    const ordering = outputOrdering(this.properties);
    return this.children.map(
      (child) => ordering !== null && outputOrdering(child.properties)?.length === ordering.length,
    );
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return this.children.map(() => false);
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'greater_equal';
  }

  protected computeStatistics(): Statistics {
    return unionStatistics(this.children.map((child) => child.statistics()));
  }

  describe(): string {
    return 'UnionExec';
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return unionStream(this, partition, context);
  }
}

export const unionExecCodec: OperatorCodec<UnionExec> = {
  kind: 'UnionExec',
  is: (plan) => plan instanceof UnionExec,
  encode: () => ({}),
  decode: (_fields, children) => new UnionExec(children),
};
