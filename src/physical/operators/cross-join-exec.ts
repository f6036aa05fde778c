import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { twoChildren } from '../encoded-fields.js';
import {
  type Distribution,
  type ExecutionPlan,
  type OperatorCodec,
  SINGLE_PARTITION,
  UNSPECIFIED,
} from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { crossJoinStatistics } from '../statistics/join-statistics.js';
import { type CrossJoinSpec, crossJoinStream } from '../streams/cross-join-stream.js';
import type { TaskContext } from '../task-context.js';
import { collectedJoinPartitioning, joinProperties, joinSchema } from './join-schema.js';

/** Every left row with every right row; the left side is collected. */
export class CrossJoinExec extends OperatorBase implements CrossJoinSpec {
  readonly name = 'CrossJoinExec';
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(left: ExecutionPlan, right: ExecutionPlan) {
    super();
    this.left = left;
    this.right = right;
    this.children = [left, right];
    this.schema = joinSchema(left.schema, right.schema, 'Inner');
    this.properties = joinProperties({
      left,
      right,
      joinType: 'Inner',
      on: [],
      partitioning: collectedJoinPartitioning(left, right, 'Inner'),
      keepsOrder: false,
      projection: null,
      schema: this.schema,
    });
  }

  withNewChildren([left, right]: readonly ExecutionPlan[]): ExecutionPlan {
    return new CrossJoinExec(left!, right!);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [SINGLE_PARTITION, UNSPECIFIED];
  }

  protected computeStatistics(): Statistics {
    return crossJoinStatistics(this.left.statistics(), this.right.statistics());
  }

  describe(): string {
    return 'CrossJoinExec';
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return crossJoinStream(this, partition, context);
  }
}

export const crossJoinExecCodec: OperatorCodec<CrossJoinExec> = {
  kind: 'CrossJoinExec',
  is: (plan) => plan instanceof CrossJoinExec,
  encode: () => ({}),
  decode: (fields, children) => new CrossJoinExec(...twoChildren(fields, children)),
};
