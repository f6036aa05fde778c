import { DistqError } from '../../base/errors.js';
import type { DataSource } from '../../catalog/data-source.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { EncodedNode, ExprCodec } from '../../expr/expr-codec.js';
import type { ParquetSource } from '../parquet/parquet-source.js';

/** The kind of an encoded StatisticsSource. */
export const STATISTICS_SOURCE = 'StatisticsSource';

/** The scan of a table that has statistics only: in every text and to every rule the scan of Parquet files it stands for. */
export class StatisticsSource implements DataSource {
  readonly table: string;
  readonly schema: Schema;
  /** What would be read. */
  readonly scan: ParquetSource;

  constructor(table: string, scan: ParquetSource) {
    this.table = table;
    this.scan = scan;
    this.schema = scan.schema;
  }

  get fileScan(): FileScanConfig {
    return this.scan.fileScan;
  }

  get partitionCount(): number {
    return this.scan.partitionCount;
  }

  get fetch(): number | null {
    return this.scan.fetch;
  }

  statistics(): Statistics {
    return this.scan.statistics();
  }

  withFileScan(config: FileScanConfig): StatisticsSource {
    return new StatisticsSource(this.table, this.scan.withFileScan(config));
  }

  withFetch(fetch: number): StatisticsSource {
    return new StatisticsSource(this.table, this.scan.withFetch(fetch));
  }

  withProjection(columns: readonly number[]): StatisticsSource {
    return new StatisticsSource(this.table, this.scan.withProjection(columns));
  }

  open(): AsyncIterable<RecordBatch> {
    throw statisticsOnly([this.table]);
  }

  describe(full: boolean): string {
    return this.scan.describe(full);
  }

  encode(codec: ExprCodec): EncodedNode {
    return { ...this.scan.encode(codec), kind: STATISTICS_SOURCE, table: this.table };
  }
}

/** What running a query over such tables is answered with. */
export function statisticsOnly(tables: readonly string[]): DistqError {
  const names = tables.map((name) => `"${name}"`).join(', ');
  const [first] = tables;
  const what = tables.length === 1 ? `table ${names} has` : `tables ${names} have`;
  return new DistqError('data_source', `${what} statistics only: the query can be explained and not run`, {
    hint: `give the files with --data ${first ?? 'name'}=<path>`,
  });
}
