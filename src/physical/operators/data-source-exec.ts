import type { DataSource } from '../../catalog/data-source.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { valueField } from '../encoded-fields.js';
import { plainProperties, projectProperties } from '../equivalence.js';
import type { DescribeOptions, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { Partitioning, PlanProperties } from '../plan-properties.js';
import { type DataSourceSpec, dataSourceStream } from '../streams/data-source-stream.js';
import type { TaskContext } from '../task-context.js';

/** A leaf that reads a data source. */
export class DataSourceExec extends OperatorBase implements DataSourceSpec {
  readonly name = 'DataSourceExec';
  readonly source: DataSource;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];
  override readonly fetch: number | null;

  /** `like` is another leaf: what its properties tell of the same projection holds here too. */
  constructor(source: DataSource, like?: DataSourceExec) {
    super();
    this.source = source;
    this.schema = source.schema;
    this.fetch = source.fetch;
    const count = source.partitionCount;
    const hashKeys = source.fileScan?.hashKeys;
    const partitioning: Partitioning =
      hashKeys === undefined ? { kind: 'unknown', count } : { kind: 'hash', exprs: hashKeys, count };
    const projection = source.fileScan?.projection ?? [];
    // What a scan computes may be constant or equal to something else it gives.
    const { equivalences, constants } =
      like !== undefined && like.source.fileScan?.projection === projection
        ? like.properties
        : projectProperties(plainProperties(partitioning), projection);
    this.properties = {
      partitioning,
      orderings: source.fileScan?.outputOrderings ?? [],
      equivalences,
      constants,
    };
  }

  withNewChildren(): ExecutionPlan {
    return this;
  }

  /** The leaf over a changed scan; only for file sources. */
  withFileScan(config: FileScanConfig): DataSourceExec {
    return new DataSourceExec(this.source.withFileScan(config), this);
  }

  protected computeStatistics(): Statistics {
    return this.source.statistics();
  }

  override withFetch(fetch: number): ExecutionPlan {
    return new DataSourceExec(this.source.withFetch(fetch));
  }

  describe({ full }: DescribeOptions): string {
    return `DataSourceExec: ${this.source.describe(full)}`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return dataSourceStream(this, partition, context);
  }
}

export const dataSourceExecCodec: OperatorCodec<DataSourceExec> = {
  kind: 'DataSourceExec',
  is: (plan) => plan instanceof DataSourceExec,
  encode: (plan, codec) => ({ source: codec.source(plan.source) }),
  decode: (fields, _children, codec) => new DataSourceExec(codec.decodeSource(valueField(fields, 'source'))),
};
