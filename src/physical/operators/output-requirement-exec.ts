import type { Statistics } from '../../catalog/statistics.js';
import { DistqError } from '../../base/errors.js';
import type { Schema } from '../../columnar/schema.js';
import { displayPhysicalExpr } from '../../expr/physical-expr-display.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { Distribution, ExecutionPlan } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';

/**
 * Stands on top of the plan while it is optimised and demands what the query promised (ORDER BY, one partition), so that no rule drops
 * it. Never reaches execution.
 */
export class OutputRequirementExec extends OperatorBase {
  readonly name = 'OutputRequirementExec';
  readonly input: ExecutionPlan;
  readonly order: readonly PhysicalSortExpr[] | null;
  readonly distribution: Distribution;
  override readonly fetch: number | null;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(
    input: ExecutionPlan,
    order: readonly PhysicalSortExpr[] | null,
    distribution: Distribution,
    fetch: number | null = null,
  ) {
    super();
    this.input = input;
    this.order = order;
    this.distribution = distribution;
    this.fetch = fetch;
    this.schema = input.schema;
    this.properties = input.properties;
    this.children = [input];
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new OutputRequirementExec(input!, this.order, this.distribution, this.fetch);
  }

  override withFetch(fetch: number): ExecutionPlan {
    return new OutputRequirementExec(this.input, this.order, this.distribution, fetch);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [this.distribution];
  }

  override requiredInputOrdering(): readonly (readonly PhysicalSortExpr[] | null)[] {
    return [this.order];
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [false];
  }

  protected computeStatistics(): Statistics {
    return this.input.statistics();
  }

  describe(): string {
    const order = (this.order ?? [])
      .map((key) => `(${displayPhysicalExpr(key.expr)}, ${key.descending ? 'desc' : 'asc'})`)
      .join(', ');
    const distribution = distributionText(this.distribution);
    return `OutputRequirementExec: order_by=[${order}], dist_by=${distribution}`;
  }

  execute(): never {
    throw new DistqError('internal', 'OutputRequirementExec is removed before a plan runs');
  }
}

function distributionText(distribution: Distribution): string {
  switch (distribution.kind) {
    case 'unspecified':
      return 'Unspecified';
    case 'single':
      return 'SinglePartition';
    case 'hash':
      return `HashPartitioned[[${distribution.exprs.map(displayPhysicalExpr).join(', ')}])]`;
  }
}
