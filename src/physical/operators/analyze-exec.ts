import { type Statistics, unknownStatistics } from '../../catalog/statistics.js';
import { DistqError } from '../../base/errors.js';
import { field, UTF8 } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import { plainProperties } from '../equivalence.js';
import { type Distribution, type ExecutionPlan, SINGLE_PARTITION } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';

/** EXPLAIN ANALYZE over its input. Only describes: `session/` runs the input and renders its metrics. */
export class AnalyzeExec extends OperatorBase {
  readonly name = 'AnalyzeExec';
  readonly input: ExecutionPlan;
  readonly verbose: boolean;
  readonly schema: Schema = new Schema([field('plan_type', UTF8, false), field('plan', UTF8, false)]);
  readonly properties: PlanProperties = plainProperties(unknownPartitioning(1));
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan, verbose: boolean) {
    super();
    this.input = input;
    this.verbose = verbose;
    this.children = [input];
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new AnalyzeExec(input!, this.verbose);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    return [SINGLE_PARTITION];
  }

  protected computeStatistics(): Statistics {
    return unknownStatistics(this.schema.length);
  }

  describe(): string {
    return `AnalyzeExec verbose=${this.verbose}`;
  }

  execute(): never {
    throw new DistqError('internal', 'AnalyzeExec only describes');
  }
}
