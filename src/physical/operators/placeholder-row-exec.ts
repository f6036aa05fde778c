import { exact, type Statistics, UNKNOWN_COLUMN } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { EMPTY_SCHEMA, type Schema } from '../../columnar/schema.js';
import { countField, valueField } from '../encoded-fields.js';
import { plainProperties } from '../equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { type PlaceholderRowSpec, placeholderRowStream } from '../streams/placeholder-row-stream.js';
import type { TaskContext } from '../task-context.js';

/** One row, whose columns (usually none) are null: the input of a SELECT without FROM. */
export class PlaceholderRowExec extends OperatorBase implements PlaceholderRowSpec {
  readonly name = 'PlaceholderRowExec';
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];

  constructor(schema: Schema = EMPTY_SCHEMA, partitions = 1) {
    super();
    this.schema = schema;
    this.properties = plainProperties(unknownPartitioning(partitions));
  }

  withNewChildren(): ExecutionPlan {
    return this;
  }

  protected computeStatistics(): Statistics {
    return {
      numRows: exact(this.properties.partitioning.count),
      totalByteSize: { kind: 'absent' },
      columns: this.schema.fields.map(() => UNKNOWN_COLUMN),
    };
  }

  describe(): string {
    return 'PlaceholderRowExec';
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return placeholderRowStream(this, partition, context);
  }
}

export const placeholderRowExecCodec: OperatorCodec<PlaceholderRowExec> = {
  kind: 'PlaceholderRowExec',
  is: (plan) => plan instanceof PlaceholderRowExec,
  encode: (plan, codec) => ({ schema: codec.schema(plan.schema), partitions: plan.properties.partitioning.count }),
  decode: (fields, _children, codec) =>
    new PlaceholderRowExec(codec.decodeSchema(valueField(fields, 'schema')), countField(fields, 'partitions')),
};
