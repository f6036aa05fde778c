import { exact, type Statistics, UNKNOWN_COLUMN } from '../../catalog/statistics.js';
import { DistqError } from '../../base/errors.js';
import { field, UTF8 } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import { plainProperties } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';

/** Rows of an EXPLAIN statement: a kind (`logical_plan`, …) and a text each. Only describes: `session/` renders it, no worker sees it. */
export class ExplainExec extends OperatorBase {
  readonly name = 'ExplainExec';
  readonly rows: readonly (readonly [kind: string, text: string])[];
  readonly schema: Schema = new Schema([field('plan_type', UTF8, false), field('plan', UTF8, false)]);
  readonly properties: PlanProperties = plainProperties(unknownPartitioning(1));
  readonly children: readonly ExecutionPlan[] = [];

  constructor(rows: readonly (readonly [kind: string, text: string])[]) {
    super();
    this.rows = rows;
  }

  withNewChildren(): ExecutionPlan {
    return this;
  }

  protected computeStatistics(): Statistics {
    return {
      numRows: exact(this.rows.length),
      totalByteSize: { kind: 'absent' },
      columns: [UNKNOWN_COLUMN, UNKNOWN_COLUMN],
    };
  }

  describe(): string {
    return 'ExplainExec';
  }

  execute(): never {
    throw new DistqError('internal', 'ExplainExec only describes');
  }
}
