import { Column } from '../../columnar/column.js';
import { NULL } from '../../columnar/data-type.js';

/** Stands for a column of type Null: there is nothing to read. */
export class NullColumnReader {
  readonly bytesRead = 0;
  readonly pending: null = null;

  start(): void {
    // Every row group is alike.
  }

  endBatch(): void {
    // No buffers.
  }

  prepare(rows: number): number {
    return rows;
  }

  take(rows: number): Column {
    return Column.nulls(NULL, 'null', rows);
  }

  close(): void {
    // No buffers.
  }
}
