import { notImplemented } from '../../base/errors.js';
import type { ScanContext } from '../../catalog/data-source.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ParquetSource } from './parquet-source.js';

export async function* readPartition(
  source: ParquetSource,
  partition: number,
  _context: ScanContext,
): AsyncGenerator<RecordBatch> {
  throw notImplemented(`reading partition ${partition} of ${source.partitionCount}`);
}
