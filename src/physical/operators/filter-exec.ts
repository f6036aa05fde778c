import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { displayPhysicalExpr } from '../../expr/physical-expr-display.js';
import { type PhysicalExpr, physicalColumn } from '../../expr/physical-expr.js';
import { countField, nullableCountField, nullableCountsField, onlyChild, valueField } from '../encoded-fields.js';
import { applyPredicate, projectProperties } from '../equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { filterStatistics } from '../statistics/filter-statistics.js';
import { projectColumns } from '../../catalog/projection-statistics.js';
import { type FilterSpec, filterStream } from '../streams/filter-stream.js';
import type { TaskContext } from '../task-context.js';
import { fetchText, indexedNames, projectionText } from './operator-text.js';

export interface FilterOptions {
  /** Input positions to put out, in that order; null = all. */
  readonly projection?: readonly number[] | null;
  readonly fetch?: number | null;
  /** Assumed percentage of rows that pass when the predicate cannot be analysed. */
  readonly defaultSelectivity?: number;
}

/** Keeps the rows for which the predicate is true. */
export class FilterExec extends OperatorBase implements FilterSpec {
  readonly name = 'FilterExec';
  readonly predicate: PhysicalExpr;
  readonly input: ExecutionPlan;
  readonly projection: readonly number[] | null;
  override readonly fetch: number | null;
  readonly defaultSelectivity: number;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(predicate: PhysicalExpr, input: ExecutionPlan, options: FilterOptions = {}) {
    super();
    this.predicate = predicate;
    this.input = input;
    this.projection = options.projection ?? null;
    this.fetch = options.fetch ?? null;
    this.defaultSelectivity = options.defaultSelectivity ?? 20;
    this.children = [input];
    this.schema = this.projection === null ? input.schema : input.schema.project(this.projection);
    const properties = applyPredicate(input.properties, predicate);
    this.properties =
      this.projection === null
        ? properties
        : projectProperties(
            properties,
            this.projection.map((index) => {
              const expr = physicalColumn(input.schema, index);
              return { expr, name: expr.name };
            }),
          );
  }

  #options(): Required<FilterOptions> {
    return { projection: this.projection, fetch: this.fetch, defaultSelectivity: this.defaultSelectivity };
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new FilterExec(this.predicate, input!, this.#options());
  }

  /** The same filter with another embedded projection of its input. */
  withProjection(projection: readonly number[] | null): FilterExec {
    return new FilterExec(this.predicate, this.input, { ...this.#options(), projection });
  }

  override withFetch(fetch: number): ExecutionPlan {
    return new FilterExec(this.predicate, this.input, { ...this.#options(), fetch });
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'lower_equal';
  }

  protected computeStatistics(): Statistics {
    const { input, predicate, defaultSelectivity } = this;
    const filtered = filterStatistics(input.statistics(), predicate, input.schema, defaultSelectivity);
    return this.projection === null ? filtered : projectColumns(filtered, this.projection);
  }

  describe(): string {
    const projection = this.projection === null ? '' : projectionText(indexedNames(this.input.schema, this.projection));
    return `FilterExec: ${displayPhysicalExpr(this.predicate)}${projection}${fetchText(this.fetch)}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return filterStream(this, partition, context);
  }
}

export const filterExecCodec: OperatorCodec<FilterExec> = {
  kind: 'FilterExec',
  is: (plan) => plan instanceof FilterExec,
  encode: (plan, codec) => ({
    predicate: codec.expr(plan.predicate),
    projection: plan.projection,
    fetch: plan.fetch,
    defaultSelectivity: plan.defaultSelectivity,
  }),
  decode: (fields, children, codec) =>
    new FilterExec(codec.decodeExpr(valueField(fields, 'predicate')), onlyChild(fields, children), {
      projection: nullableCountsField(fields, 'projection'),
      fetch: nullableCountField(fields, 'fetch'),
      defaultSelectivity: countField(fields, 'defaultSelectivity'),
    }),
};
