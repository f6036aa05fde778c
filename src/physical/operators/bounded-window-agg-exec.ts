import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';
import { booleanField, onlyChild } from '../encoded-fields.js';
import type { CardinalityEffect, Distribution, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { type BoundedWindowAggSpec, boundedWindowAggStream } from '../streams/bounded-window-agg-stream.js';
import type { TaskContext } from '../task-context.js';
import { decodeWindows, encodeWindows } from './window-codec.js';
import { partitionSequence, windowDistribution, windowOrdering, type Windows } from './window-keys.js';
import { windowProperties, windowSchema, windowStatistics } from './window-properties.js';
import { boundedWindowText } from './window-text.js';

/**
 * Window functions that all can be given while the rows of a partition come in. Output: the input's columns, then one per window. The
 * input is ordered by the keys (DataFusion's mode `Sorted`; its other modes are for inputs without an end).
 */
export class BoundedWindowAggExec extends OperatorBase implements BoundedWindowAggSpec {
  readonly name = 'BoundedWindowAggExec';
  readonly windows: Windows;
  readonly input: ExecutionPlan;
  /** Partitions of the windows may be spread over partitions of the plan. */
  readonly canRepartition: boolean;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];
  readonly #requiredOrdering: readonly PhysicalSortExpr[] | null;

  constructor(windows: Windows, input: ExecutionPlan, canRepartition: boolean) {
    super();
    this.windows = windows;
    this.input = input;
    this.canRepartition = canRepartition;
    this.children = [input];
    this.schema = windowSchema(input.schema, windows);
    this.properties = windowProperties(input.properties, this.schema, windows);
    const sequence = partitionSequence(windows[0].partitionBy, input.properties);
    this.#requiredOrdering = windowOrdering(windows, input.properties, sequence);
  }

  /** What the rows are spread by. */
  get partitionKeys(): readonly PhysicalExpr[] {
    return this.canRepartition ? this.windows[0].partitionBy : [];
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new BoundedWindowAggExec(this.windows, input!, this.canRepartition);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [windowDistribution(this.partitionKeys)];
  }

  override requiredInputOrdering(): readonly (readonly PhysicalSortExpr[] | null)[] {
    return [this.#requiredOrdering];
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return windowStatistics(this.input.statistics(), this.windows);
  }

  describe(): string {
    return `BoundedWindowAggExec: wdw=[${this.windows.map(boundedWindowText).join(', ')}], mode=[Sorted]`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return boundedWindowAggStream(this, partition, context);
  }
}

export const boundedWindowAggExecCodec: OperatorCodec<BoundedWindowAggExec> = {
  kind: 'BoundedWindowAggExec',
  is: (plan) => plan instanceof BoundedWindowAggExec,
  encode: (plan, codec) => ({ windows: encodeWindows(plan.windows, codec), canRepartition: plan.canRepartition }),
  decode: (fields, children, codec) =>
    new BoundedWindowAggExec(
      decodeWindows(fields, 'windows', codec),
      onlyChild(fields, children),
      booleanField(fields, 'canRepartition'),
    ),
};
