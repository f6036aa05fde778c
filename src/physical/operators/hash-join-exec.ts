import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { displayPhysicalExpr } from '../../expr/physical-expr-display.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { JoinType } from '../../expr/join-type.js';
import {
  booleanField,
  choiceField,
  isList,
  listField,
  nullableCountField,
  nullableCountsField,
  twoChildren,
} from '../encoded-fields.js';
import {
  type Distribution,
  type ExecutionPlan,
  type OperatorCodec,
  SINGLE_PARTITION,
  UNSPECIFIED,
} from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { joinStatistics } from '../statistics/join-statistics.js';
import { projectColumns } from '../../catalog/projection-statistics.js';
import { type HashJoinSpec, hashJoinStream } from '../streams/hash-join-stream.js';
import type { TaskContext } from '../task-context.js';
import { encodeJoinFilter, type JoinFilter, joinFilterField } from './join-filter.js';
import {
  collectedJoinPartitioning,
  JOIN_TYPES,
  joinProperties,
  joinSchema,
  keepsProbeOrder,
  partitionedJoinPartitioning,
} from './join-schema.js';
import { fetchText, indexedNames, projectionText } from './operator-text.js';

/** `Auto` until join selection has decided. */
export type PartitionMode = 'Auto' | 'CollectLeft' | 'Partitioned';

export interface HashJoinOptions {
  readonly filter?: JoinFilter | null;
  /** Positions of the unprojected output to put out, in that order; null = all. */
  readonly projection?: readonly number[] | null;
  /** Keys compare nulls as equal. */
  readonly nullEqualsNull?: boolean;
  /** NOT IN semantics (LeftAnti only). */
  readonly nullAware?: boolean;
  readonly fetch?: number | null;
  /** Id of the dynamic filter that the build side makes for the probe side, over the right keys in order. */
  readonly dynamicFilter?: number | null;
}

/** Joins on equal keys: the left side is built into a table, the right side probes it. */
export class HashJoinExec extends OperatorBase implements HashJoinSpec {
  readonly name = 'HashJoinExec';
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  /** Pairs of key columns (left, right). */
  readonly on: readonly (readonly [PhysicalExpr, PhysicalExpr])[];
  readonly joinType: JoinType;
  readonly mode: PartitionMode;
  readonly filter: JoinFilter | null;
  readonly projection: readonly number[] | null;
  readonly nullEqualsNull: boolean;
  readonly nullAware: boolean;
  override readonly fetch: number | null;
  readonly dynamicFilter: number | null;
  /** The output before the embedded projection: left columns, right columns, or one side and `mark`. */
  readonly joinSchema: Schema;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(
    left: ExecutionPlan,
    right: ExecutionPlan,
    on: readonly (readonly [PhysicalExpr, PhysicalExpr])[],
    joinType: JoinType,
    mode: PartitionMode,
    options: HashJoinOptions = {},
  ) {
    super();
    this.left = left;
    this.right = right;
    this.on = on;
    this.joinType = joinType;
    this.mode = mode;
    this.filter = options.filter ?? null;
    this.projection = options.projection ?? null;
    this.nullEqualsNull = options.nullEqualsNull ?? false;
    this.nullAware = options.nullAware ?? false;
    this.fetch = options.fetch ?? null;
    this.dynamicFilter = options.dynamicFilter ?? null;
    this.children = [left, right];
    this.joinSchema = joinSchema(left.schema, right.schema, joinType);
    this.schema = this.projection === null ? this.joinSchema : this.joinSchema.project(this.projection);
    this.properties = joinProperties({
      left,
      right,
      joinType,
      on,
      partitioning: this.#partitioning(),
      keepsOrder: keepsProbeOrder(joinType),
      projection: this.projection,
      schema: this.joinSchema,
    });
  }

  #partitioning(): PlanProperties['partitioning'] {
    switch (this.mode) {
      case 'Auto':
        return unknownPartitioning(this.right.properties.partitioning.count);
      case 'CollectLeft':
        return collectedJoinPartitioning(this.left, this.right, this.joinType);
      case 'Partitioned':
        return partitionedJoinPartitioning(this.left, this.right, this.joinType);
    }
  }

  /** All options, for changed copies. */
  get options(): Required<HashJoinOptions> {
    const { filter, projection, nullEqualsNull, nullAware, fetch, dynamicFilter } = this;
    return { filter, projection, nullEqualsNull, nullAware, fetch, dynamicFilter };
  }

  /** The same join with some options changed. */
  with(options: HashJoinOptions): HashJoinExec {
    return new HashJoinExec(this.left, this.right, this.on, this.joinType, this.mode, { ...this.options, ...options });
  }

  /** The same join in another mode. */
  withMode(mode: PartitionMode): HashJoinExec {
    return new HashJoinExec(this.left, this.right, this.on, this.joinType, mode, this.options);
  }

  withNewChildren([left, right]: readonly ExecutionPlan[]): ExecutionPlan {
    return new HashJoinExec(left!, right!, this.on, this.joinType, this.mode, this.options);
  }

  override withFetch(fetch: number): ExecutionPlan {
    return this.with({ fetch });
  }

  override requiredInputDistribution(): readonly Distribution[] {
    switch (this.mode) {
      case 'Auto':
        return [UNSPECIFIED, UNSPECIFIED];
      case 'CollectLeft':
        return [SINGLE_PARTITION, UNSPECIFIED];
      case 'Partitioned':
        return [
          { kind: 'hash', exprs: this.on.map(([key]) => key) },
          { kind: 'hash', exprs: this.on.map(([, key]) => key) },
        ];
    }
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [false, keepsProbeOrder(this.joinType)];
  }

  protected computeStatistics(): Statistics {
    const { left, right, on, joinType, nullEqualsNull } = this;
    const joined = joinStatistics(left.statistics(), right.statistics(), on, joinType, nullEqualsNull);
    return this.projection === null ? joined : projectColumns(joined, this.projection);
  }

  describe(): string {
    const on = this.on.map(([l, r]) => `(${displayPhysicalExpr(l)}, ${displayPhysicalExpr(r)})`).join(', ');
    let text = `HashJoinExec: mode=${this.mode}, join_type=${this.joinType}, on=[${on}]`;
    if (this.filter !== null) text += `, filter=${displayPhysicalExpr(this.filter.expr)}`;
    if (this.projection !== null) text += projectionText(indexedNames(this.joinSchema, this.projection));
    if (this.nullEqualsNull) text += ', NullsEqual: true';
    text += fetchText(this.fetch);
    return this.nullAware ? `${text}, null_aware` : text;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return hashJoinStream(this, partition, context);
  }
}

export const hashJoinExecCodec: OperatorCodec<HashJoinExec> = {
  kind: 'HashJoinExec',
  is: (plan) => plan instanceof HashJoinExec,
  encode: (plan, codec) => ({
    on: plan.on.map(([l, r]) => [codec.expr(l), codec.expr(r)]),
    joinType: plan.joinType,
    mode: plan.mode,
    filter: encodeJoinFilter(plan.filter, codec),
    projection: plan.projection,
    nullEqualsNull: plan.nullEqualsNull,
    nullAware: plan.nullAware,
    fetch: plan.fetch,
    dynamicFilter: plan.dynamicFilter,
  }),
  decode: (fields, children, codec) => {
    const [left, right] = twoChildren(fields, children);
    const on = listField(fields, 'on').map((pair): readonly [PhysicalExpr, PhysicalExpr] => {
      const [l, r] = isList(pair) ? pair : [];
      return [codec.decodeExpr(l ?? null), codec.decodeExpr(r ?? null)];
    });
    return new HashJoinExec(
      left,
      right,
      on,
      choiceField(fields, 'joinType', JOIN_TYPES),
      choiceField(fields, 'mode', ['Auto', 'CollectLeft', 'Partitioned']),
      {
        filter: joinFilterField(fields, 'filter', codec),
        projection: nullableCountsField(fields, 'projection'),
        nullEqualsNull: booleanField(fields, 'nullEqualsNull'),
        nullAware: booleanField(fields, 'nullAware'),
        fetch: nullableCountField(fields, 'fetch'),
        dynamicFilter: nullableCountField(fields, 'dynamicFilter'),
      },
    );
  },
};
