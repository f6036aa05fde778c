import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { displayPhysicalExpr } from '../../expr/physical-expr-display.js';
import type { JoinType } from '../../expr/join-type.js';
import { choiceField, nullableCountsField, twoChildren } from '../encoded-fields.js';
import {
  type Distribution,
  type ExecutionPlan,
  type OperatorCodec,
  SINGLE_PARTITION,
  UNSPECIFIED,
} from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { joinStatistics } from '../statistics/join-statistics.js';
import { projectColumns } from '../../catalog/projection-statistics.js';
import { type NestedLoopJoinSpec, nestedLoopJoinStream } from '../streams/nested-loop-join-stream.js';
import type { TaskContext } from '../task-context.js';
import { encodeJoinFilter, type JoinFilter, joinFilterField } from './join-filter.js';
import { collectedJoinPartitioning, JOIN_TYPES, joinProperties, joinSchema, keepsProbeOrder } from './join-schema.js';
import { indexedNames, projectionText } from './operator-text.js';

/** Joins on any condition (or none): each right row is held against the whole, collected left side. */
export class NestedLoopJoinExec extends OperatorBase implements NestedLoopJoinSpec {
  readonly name = 'NestedLoopJoinExec';
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly joinType: JoinType;
  readonly filter: JoinFilter | null;
  readonly projection: readonly number[] | null;
  /** The output before the embedded projection. */
  readonly joinSchema: Schema;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(
    left: ExecutionPlan,
    right: ExecutionPlan,
    joinType: JoinType,
    filter: JoinFilter | null,
    projection: readonly number[] | null = null,
  ) {
    super();
    this.left = left;
    this.right = right;
    this.joinType = joinType;
    this.filter = filter;
    this.projection = projection;
    this.children = [left, right];
    this.joinSchema = joinSchema(left.schema, right.schema, joinType);
    this.schema = projection === null ? this.joinSchema : this.joinSchema.project(projection);
    this.properties = joinProperties({
      left,
      right,
      joinType,
      on: [],
      partitioning: collectedJoinPartitioning(left, right, joinType),
      keepsOrder: keepsProbeOrder(joinType),
      projection,
      schema: this.joinSchema,
    });
  }

  withNewChildren([left, right]: readonly ExecutionPlan[]): ExecutionPlan {
    return new NestedLoopJoinExec(left!, right!, this.joinType, this.filter, this.projection);
  }

  /** The same join with another embedded projection of its output. */
  withProjection(projection: readonly number[] | null): NestedLoopJoinExec {
    return new NestedLoopJoinExec(this.left, this.right, this.joinType, this.filter, projection);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [SINGLE_PARTITION, UNSPECIFIED];
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [false, keepsProbeOrder(this.joinType)];
  }

  protected computeStatistics(): Statistics {
    const joined = joinStatistics(this.left.statistics(), this.right.statistics(), [], this.joinType);
    return this.projection === null ? joined : projectColumns(joined, this.projection);
  }

  describe(): string {
    let text = `NestedLoopJoinExec: join_type=${this.joinType}`;
    if (this.filter !== null) text += `, filter=${displayPhysicalExpr(this.filter.expr)}`;
    if (this.projection !== null) text += projectionText(indexedNames(this.joinSchema, this.projection));
    return text;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return nestedLoopJoinStream(this, partition, context);
  }
}

export const nestedLoopJoinExecCodec: OperatorCodec<NestedLoopJoinExec> = {
  kind: 'NestedLoopJoinExec',
  is: (plan) => plan instanceof NestedLoopJoinExec,
  encode: (plan, codec) => ({
    joinType: plan.joinType,
    filter: encodeJoinFilter(plan.filter, codec),
    projection: plan.projection,
  }),
  decode: (fields, children, codec) => {
    const [left, right] = twoChildren(fields, children);
    return new NestedLoopJoinExec(
      left,
      right,
      choiceField(fields, 'joinType', JOIN_TYPES),
      joinFilterField(fields, 'filter', codec),
      nullableCountsField(fields, 'projection'),
    );
  },
};
