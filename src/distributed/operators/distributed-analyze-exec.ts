import { DistqError, invariant } from '../../base/errors.js';
import { type Statistics, unknownStatistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { OperatorBase } from '../../physical/operator-base.js';
import { AnalyzeExec } from '../../physical/operators/analyze-exec.js';
import type { PlanProperties } from '../../physical/plan-properties.js';

/** EXPLAIN ANALYZE over a distributed plan. Only describes, as AnalyzeExec does: whoever runs statements runs the plan and renders it. */
export class DistributedAnalyzeExec extends OperatorBase {
  readonly name = 'DistributedAnalyzeExec';
  readonly input: ExecutionPlan;
  readonly verbose: boolean;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(input: ExecutionPlan, verbose: boolean) {
    super();
    const { schema, properties } = new AnalyzeExec(input, verbose);
    this.input = input;
    this.verbose = verbose;
    this.schema = schema;
    this.properties = properties;
    this.children = [input];
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    invariant(input !== undefined, 'a DistributedAnalyzeExec has one child');
    return new DistributedAnalyzeExec(input, this.verbose);
  }

  protected computeStatistics(): Statistics {
    return unknownStatistics(this.schema.length);
  }

  describe(): string {
    return `DistributedAnalyzeExec verbose=${this.verbose}`;
  }

  execute(): AsyncIterable<RecordBatch> {
    throw new DistqError('internal', 'a DistributedAnalyzeExec was executed as an operator');
  }
}
