import type { Statistics } from '../catalog/statistics.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { Schema } from '../columnar/schema.js';
import type { PhysicalSortExpr } from '../expr/physical-expr.js';
import {
  type CardinalityEffect,
  type DescribeOptions,
  type Distribution,
  type ExecutionPlan,
  UNSPECIFIED,
} from './execution-plan.js';
import type { PlanProperties } from './plan-properties.js';
import type { TaskContext } from './task-context.js';

const statisticsOfPlans = new WeakMap<ExecutionPlan, Statistics>();

/** DataFusion's defaults for everything a node may leave unsaid. Nodes are immutable: fields of subclasses are readonly. */
export abstract class OperatorBase implements ExecutionPlan {
  abstract readonly name: string;
  abstract readonly schema: Schema;
  abstract readonly properties: PlanProperties;
  abstract readonly children: readonly ExecutionPlan[];
  readonly fetch: number | null = null;

  abstract withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan;
  abstract describe(options: DescribeOptions): string;
  abstract execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch>;
  /** `statistics()` without the memory of earlier calls. */
  protected abstract computeStatistics(): Statistics;

  requiredInputDistribution(): readonly Distribution[] {
    return this.children.map(() => UNSPECIFIED);
  }

  requiredInputOrdering(): readonly (readonly PhysicalSortExpr[] | null)[] {
    return this.children.map(() => null);
  }

  maintainsInputOrder(): readonly boolean[] {
    return this.children.map(() => false);
  }

  benefitsFromInputPartitioning(): readonly boolean[] {
    return this.requiredInputDistribution().map((required) => required.kind !== 'single');
  }

  cardinalityEffect(): CardinalityEffect {
    return 'unknown';
  }

  statistics(): Statistics {
    let known = statisticsOfPlans.get(this);
    if (known === undefined) {
      known = this.computeStatistics();
      statisticsOfPlans.set(this, known);
    }
    return known;
  }

  withFetch(_fetch: number): ExecutionPlan | undefined {
    return undefined;
  }
}
