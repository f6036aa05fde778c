import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { displaySortExprs } from '../../expr/physical-expr-display.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import { nullableCountField, onlyChild, valueField } from '../encoded-fields.js';
import { addOrdering, clearPartitionConstants, withPartitioning } from '../equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { limitedStatistics } from '../statistics/limit-statistics.js';
import { type SortPreservingMergeSpec, sortPreservingMergeStream } from '../streams/sort-preserving-merge-stream.js';
import type { TaskContext } from '../task-context.js';
import { fetchText } from './operator-text.js';

/** Merges sorted partitions into one. */
export class SortPreservingMergeExec extends OperatorBase implements SortPreservingMergeSpec {
  readonly name = 'SortPreservingMergeExec';
  readonly exprs: readonly PhysicalSortExpr[];
  readonly input: ExecutionPlan;
  override readonly fetch: number | null;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(exprs: readonly PhysicalSortExpr[], input: ExecutionPlan, fetch: number | null = null) {
    super();
    this.exprs = exprs;
    this.input = input;
    this.fetch = fetch;
    this.schema = input.schema;
    this.children = [input];
    const merged = addOrdering(clearPartitionConstants(input.properties), exprs);
    this.properties = withPartitioning(merged, unknownPartitioning(1));
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new SortPreservingMergeExec(this.exprs, input!, this.fetch);
  }

  override withFetch(fetch: number): ExecutionPlan {
    return new SortPreservingMergeExec(this.exprs, this.input, fetch);
  }

  override requiredInputOrdering(): readonly (readonly PhysicalSortExpr[])[] {
    return [this.exprs];
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
    return limitedStatistics(this.input.statistics(), 0, this.fetch);
  }

  describe(): string {
    return `SortPreservingMergeExec: [${displaySortExprs(this.exprs)}]${fetchText(this.fetch)}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return sortPreservingMergeStream(this, partition, context);
  }
}

export const sortPreservingMergeExecCodec: OperatorCodec<SortPreservingMergeExec> = {
  kind: 'SortPreservingMergeExec',
  is: (plan) => plan instanceof SortPreservingMergeExec,
  encode: (plan, codec) => ({ exprs: codec.sortExprs(plan.exprs), fetch: plan.fetch }),
  decode: (fields, children, codec) =>
    new SortPreservingMergeExec(
      codec.decodeSortExprs(valueField(fields, 'exprs')),
      onlyChild(fields, children),
      nullableCountField(fields, 'fetch'),
    ),
};
