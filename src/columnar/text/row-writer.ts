import type { RecordBatch } from '../record-batch.js';
import type { Schema } from '../schema.js';

/**
 * A machine format as a stream of bytes into a ByteWriter. Rows are written a slice at a time, so that the caller can hand bytes on
 * (and wait for a slow reader) between slices.
 */
export interface RowWriter {
  begin(schema: Schema): void;
  /** Selected rows [from, to) of the batch. */
  rows(batch: RecordBatch, from: number, to: number): void;
  end(): void;
}
