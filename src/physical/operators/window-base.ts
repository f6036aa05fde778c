import type { Statistics } from '../../catalog/statistics.js';
import type { Schema } from '../../columnar/schema.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';
import { booleanField, onlyChild } from '../encoded-fields.js';
import type { CardinalityEffect, Distribution, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { decodeWindows, encodeWindows } from './window-codec.js';
import { partitionSequence, windowDistribution, windowOrdering, type Windows } from './window-keys.js';
import { windowProperties, windowSchema, windowStatistics } from './window-properties.js';

/** What both window operators are but for their names and their way to run. Output: the input's columns, then one per window. */
export abstract class WindowBase extends OperatorBase {
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
}

/** The codec of a window operator, by its class. */
export function windowOperatorCodec<T extends WindowBase>(
  kind: string,
  operator: new (windows: Windows, input: ExecutionPlan, canRepartition: boolean) => T,
): OperatorCodec<T> {
  return {
    kind,
    is: (plan): plan is T => plan instanceof operator,
    encode: (plan, codec) => ({ windows: encodeWindows(plan.windows, codec), canRepartition: plan.canRepartition }),
    decode: (fields, children, codec) =>
      new operator(
        decodeWindows(fields, 'windows', codec),
        onlyChild(fields, children),
        booleanField(fields, 'canRepartition'),
      ),
  };
}
