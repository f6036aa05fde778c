import { exact, type Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { countField, valueField } from '../encoded-fields.js';
import { plainProperties } from '../equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { type EmptySpec, emptyStream } from '../streams/empty-stream.js';
import type { TaskContext } from '../task-context.js';

/** No rows. */
export class EmptyExec extends OperatorBase implements EmptySpec {
  readonly name = 'EmptyExec';
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];

  constructor(schema: Schema, partitions = 1) {
    super();
    this.schema = schema;
    this.properties = plainProperties(unknownPartitioning(partitions));
  }

  withNewChildren(): ExecutionPlan {
    return this;
  }

  protected computeStatistics(): Statistics {
    const zero = exact(0);
    return {
      numRows: zero,
      totalByteSize: zero,
      columns: this.schema.fields.map(() => ({
        nullCount: zero,
        min: { kind: 'absent' },
        max: { kind: 'absent' },
        distinctCount: zero,
        byteSize: zero,
      })),
    };
  }

  describe(): string {
    return 'EmptyExec';
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return emptyStream(this, partition, context);
  }
}

export const emptyExecCodec: OperatorCodec<EmptyExec> = {
  kind: 'EmptyExec',
  is: (plan) => plan instanceof EmptyExec,
  encode: (plan, codec) => ({ schema: codec.schema(plan.schema), partitions: plan.properties.partitioning.count }),
  decode: (fields, _children, codec) =>
    new EmptyExec(codec.decodeSchema(valueField(fields, 'schema')), countField(fields, 'partitions')),
};
