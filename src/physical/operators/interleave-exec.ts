import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { invariant } from '../../base/errors.js';
import { physicalExprsEqual } from '../../expr/physical-expr-transform.js';
import { plainProperties } from '../equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { unionStatistics } from '../statistics/union-statistics.js';
import { type InterleaveSpec, interleaveStream } from '../streams/interleave-stream.js';
import type { TaskContext } from '../task-context.js';
import { unionSchema } from './union-exec.js';

/** Whether all inputs are hash partitioned by the same expressions into the same number of partitions. */
export function canInterleave(inputs: readonly ExecutionPlan[]): boolean {
  const first = inputs[0]?.properties.partitioning;
  if (first?.kind !== 'hash' || first.exprs.length === 0) return false;
  return inputs.every(({ properties: { partitioning } }) => {
    if (partitioning.kind !== 'hash' || partitioning.count !== first.count) return false;
    if (partitioning.exprs.length !== first.exprs.length) return false;
    return partitioning.exprs.every((expr, i) => physicalExprsEqual(expr, first.exprs[i]!));
  });
}

/** A union that joins partition i of every input to partition i: inputs that are hash partitioned alike stay so. */
export class InterleaveExec extends OperatorBase implements InterleaveSpec {
  readonly name = 'InterleaveExec';
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  /** The inputs satisfy `canInterleave`. */
  constructor(inputs: readonly ExecutionPlan[]) {
    super();
    invariant(canInterleave(inputs), 'inputs of an InterleaveExec are hash partitioned alike');
    this.children = inputs;
    this.schema = unionSchema(inputs);
    this.properties = plainProperties(inputs[0]!.properties.partitioning);
  }

  withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan {
    return new InterleaveExec(children);
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return this.children.map(() => false);
  }

  protected computeStatistics(): Statistics {
    return unionStatistics(this.children.map((child) => child.statistics()));
  }

  describe(): string {
    return 'InterleaveExec';
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return interleaveStream(this, partition, context);
  }
}

export const interleaveExecCodec: OperatorCodec<InterleaveExec> = {
  kind: 'InterleaveExec',
  is: (plan) => plan instanceof InterleaveExec,
  encode: () => ({}),
  decode: (_fields, children) => new InterleaveExec(children),
};
