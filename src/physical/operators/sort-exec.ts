import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { displaySortExprs } from '../../expr/physical-expr-display.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import { booleanField, nullableCountField, onlyChild, valueField } from '../encoded-fields.js';
import { clearPartitionConstants, commonSortPrefix, reorder, withPartitioning } from '../equivalence.js';
import {
  type CardinalityEffect,
  type Distribution,
  type ExecutionPlan,
  type OperatorCodec,
  SINGLE_PARTITION,
  UNSPECIFIED,
} from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { limitedStatistics } from '../statistics/limit-statistics.js';
import { type SortSpec, sortStream } from '../streams/sort-stream.js';
import type { TaskContext } from '../task-context.js';

export interface SortOptions {
  /** Sort each partition by itself; otherwise the input must have one partition. */
  readonly preservePartitioning?: boolean;
  /** Keep only the first rows (TopK). */
  readonly fetch?: number | null;
  /** Id of the dynamic filter that a TopK tightens for its input, over the sort keys in order. */
  readonly dynamicFilter?: number | null;
}

/** Sorts, or keeps the first `fetch` rows in order. */
export class SortExec extends OperatorBase implements SortSpec {
  readonly name = 'SortExec';
  readonly exprs: readonly PhysicalSortExpr[];
  readonly input: ExecutionPlan;
  readonly preservePartitioning: boolean;
  override readonly fetch: number | null;
  readonly dynamicFilter: number | null;
  /** Leading keys that the input is already ordered by. */
  readonly commonSortPrefix: readonly PhysicalSortExpr[];
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(exprs: readonly PhysicalSortExpr[], input: ExecutionPlan, options: SortOptions = {}) {
    super();
    this.exprs = exprs;
    this.input = input;
    this.preservePartitioning = options.preservePartitioning ?? false;
    this.fetch = options.fetch ?? null;
    this.dynamicFilter = options.dynamicFilter ?? null;
    this.schema = input.schema;
    this.children = [input];
    this.commonSortPrefix = commonSortPrefix(exprs, input.properties).prefix;
    const sorted = reorder(input.properties, exprs);
    this.properties = this.preservePartitioning
      ? sorted
      : withPartitioning(
          input.properties.partitioning.count > 1 ? clearPartitionConstants(sorted) : sorted,
          unknownPartitioning(1),
        );
  }

  #options(): Required<SortOptions> {
    const { preservePartitioning, fetch, dynamicFilter } = this;
    return { preservePartitioning, fetch, dynamicFilter };
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new SortExec(this.exprs, input!, this.#options());
  }

  withDynamicFilter(dynamicFilter: number, input: ExecutionPlan): SortExec {
    return new SortExec(this.exprs, input, { ...this.#options(), dynamicFilter });
  }

  override withFetch(fetch: number): ExecutionPlan {
    return new SortExec(this.exprs, this.input, { ...this.#options(), fetch });
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [this.preservePartitioning ? UNSPECIFIED : SINGLE_PARTITION];
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [false];
  }

  override cardinalityEffect(): CardinalityEffect {
    return this.fetch === null ? 'equal' : 'lower_equal';
  }

  protected computeStatistics(): Statistics {
    return limitedStatistics(this.input.statistics(), 0, this.fetch);
  }

  describe(): string {
    const keys = displaySortExprs(this.exprs);
    const partitioning = `preserve_partitioning=[${this.preservePartitioning}]`;
    if (this.fetch === null) return `SortExec: expr=[${keys}], ${partitioning}`;
    const prefix =
      this.commonSortPrefix.length === 0 ? '' : `, sort_prefix=[${displaySortExprs(this.commonSortPrefix)}]`;
    return `SortExec: TopK(fetch=${this.fetch}), expr=[${keys}], ${partitioning}${prefix}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return sortStream(this, partition, context);
  }
}

export const sortExecCodec: OperatorCodec<SortExec> = {
  kind: 'SortExec',
  is: (plan) => plan instanceof SortExec,
  encode: (plan, codec) => ({
    exprs: codec.sortExprs(plan.exprs),
    preservePartitioning: plan.preservePartitioning,
    fetch: plan.fetch,
    dynamicFilter: plan.dynamicFilter,
  }),
  decode: (fields, children, codec) =>
    new SortExec(codec.decodeSortExprs(valueField(fields, 'exprs')), onlyChild(fields, children), {
      preservePartitioning: booleanField(fields, 'preservePartitioning'),
      fetch: nullableCountField(fields, 'fetch'),
      dynamicFilter: nullableCountField(fields, 'dynamicFilter'),
    }),
};
