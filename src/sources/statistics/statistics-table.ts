import type { ScanRequest, TableProvider } from '../../catalog/data-source.js';
import type { PartitionedFile } from '../../catalog/file-scan.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { Schema } from '../../columnar/schema.js';
import type { SessionConfig } from '../../config/session-config.js';
import { scanOfFiles } from '../files/scan-of-files.js';
import { parquetOptions } from '../parquet/parquet-options.js';
import { ParquetSource } from '../parquet/parquet-source.js';
import { StatisticsSource } from './statistics-source.js';

export interface StatisticsTableSpec {
  readonly name: string;
  readonly schema: Schema;
  readonly files: readonly PartitionedFile[];
  /** Rows of each file; empty where they are not known. */
  readonly fileRows: Float64Array;
  readonly statistics: Statistics;
}

/** A table that plans as Parquet files of that description would and has no rows: reading it is a `data_source` error. */
export class StatisticsTable implements TableProvider {
  readonly name: string;
  readonly schema: Schema;
  readonly viewSql: null = null;
  readonly #spec: StatisticsTableSpec;
  readonly #config: SessionConfig;

  constructor(spec: StatisticsTableSpec, config: SessionConfig) {
    this.name = spec.name;
    this.schema = spec.schema;
    this.#spec = spec;
    this.#config = config;
  }

  statistics(): Statistics {
    return this.#spec.statistics;
  }

  scan(request: ScanRequest): StatisticsSource {
    const scan = new ParquetSource(scanOfFiles(this.#spec, 'parquet', request), parquetOptions(this.#config));
    return new StatisticsSource(this.name, scan);
  }
}
