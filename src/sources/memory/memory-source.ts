import { DistqError, invariant } from '../../base/errors.js';
import type { DataSource, ScanContext } from '../../catalog/data-source.js';
import { ABSENT, type ColumnStatistics, exact, type Statistics } from '../../catalog/statistics.js';
import { Arena } from '../../columnar/arena.js';
import { primitiveWidth } from '../../columnar/data-type.js';
import { columnFromValues } from '../../columnar/from-values.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { Schema } from '../../columnar/schema.js';
import type { EncodedNode, ExprCodec } from '../../expr/expr-codec.js';

type Value = ScalarValue['value'];

/** Rows of one batch, column by column, as constants: each column has `numRows` values of its field's type. */
export interface MemoryBatch {
  readonly columns: readonly (readonly Value[])[];
  readonly numRows: number;
}

/** The kind of an encoded MemorySource. */
export const MEMORY_SOURCE = 'MemorySource';

/** Constants as a data source: VALUES, and small tables for tests. DataFusion's DataSourceExec over a MemorySourceConfig. */
export class MemorySource implements DataSource {
  readonly schema: Schema;
  readonly partitions: readonly (readonly MemoryBatch[])[];
  readonly fetch: number | null;
  readonly fileScan: null = null;

  constructor(schema: Schema, partitions: readonly (readonly MemoryBatch[])[], fetch: number | null = null) {
    for (const { columns } of partitions.flat()) {
      invariant(columns.length === schema.length, 'a batch has one column per field');
    }
    this.schema = schema;
    this.partitions = partitions;
    this.fetch = fetch;
  }

  /** One partition with one batch of these rows. */
  static fromRows(schema: Schema, rows: readonly (readonly Value[])[]): MemorySource {
    const columns = schema.fields.map((_, index) =>
      rows.map((row) => {
        const value = row[index];
        invariant(value !== undefined, `a row has no value for column ${index}`);
        return value;
      }),
    );
    return new MemorySource(schema, [[{ columns, numRows: rows.length }]]);
  }

  get partitionCount(): number {
    return this.partitions.length;
  }

  statistics(): Statistics {
    const batches = this.partitions.flat();
    const columns = this.schema.fields.map((_, index): ColumnStatistics => {
      const nulls = batches.reduce(
        (sum, batch) => sum + batch.columns[index]!.filter((value) => value === null).length,
        0,
      );
      return { nullCount: exact(nulls), min: ABSENT, max: ABSENT, distinctCount: ABSENT, byteSize: ABSENT };
    });
    return {
      numRows: exact(batches.reduce((sum, batch) => sum + batch.numRows, 0)),
      totalByteSize: exact(batches.reduce((sum, batch) => sum + this.#batchBytes(batch), 0)),
      columns,
    };
  }

  withFileScan(): never {
    throw new DistqError('internal', 'a memory source reads no files');
  }

  withFetch(fetch: number): MemorySource {
    return new MemorySource(this.schema, this.partitions, fetch);
  }

  withProjection(columns: readonly number[]): MemorySource {
    const pick = (batch: MemoryBatch): MemoryBatch => ({
      columns: columns.map((index) => batch.columns[index]!),
      numRows: batch.numRows,
    });
    return new MemorySource(
      this.schema.project(columns),
      this.partitions.map((batches) => batches.map(pick)),
      this.fetch,
    );
  }

  async *open(partition: number, context: ScanContext): AsyncGenerator<RecordBatch> {
    const batches = this.partitions[partition];
    invariant(batches !== undefined, `partition ${partition} of ${this.partitions.length}`);
    const arena = new Arena(context.memory);
    try {
      let left = this.fetch ?? Infinity;
      for (const { columns, numRows } of batches) {
        for (let start = 0; start < numRows && left > 0; start += context.batchSize) {
          arena.reset();
          const rows = Math.min(numRows - start, context.batchSize, left);
          left -= rows;
          const part = columns.map((values, index) =>
            columnFromValues(this.schema.field(index).type, values.slice(start, start + rows), arena),
          );
          yield new RecordBatch(this.schema, part, rows);
        }
      }
    } finally {
      arena.free();
    }
  }

  describe(): string {
    const sizes = this.partitions.map((batches) => batches.length).join(', ');
    return `partitions=${this.partitions.length}, partition_sizes=[${sizes}]${this.fetch === null ? '' : `, fetch=${this.fetch}`}`;
  }

  encode(codec: ExprCodec): EncodedNode {
    return {
      kind: MEMORY_SOURCE,
      schema: codec.schema(this.schema),
      partitions: this.partitions.map((batches) =>
        batches.map(({ columns, numRows }) => [
          numRows,
          columns.map((values, index) => {
            const { type } = this.schema.field(index);
            return values.map((value) => codec.scalar({ type, value }));
          }),
        ]),
      ),
      fetch: this.fetch,
    };
  }

  /** About what Arrow's buffers would take, as DataFusion counts them: at least 128 bytes a column, strings at least 1 KiB. */
  #batchBytes({ columns, numRows }: MemoryBatch): number {
    let bytes = 0;
    for (const [index, values] of columns.entries()) {
      const width = primitiveWidth(this.schema.field(index).type);
      const fixed = Math.max(128, Math.ceil(((width ?? 16) * numRows) / 64) * 64);
      bytes += fixed + (values.includes(null) ? 64 : 0);
      if (width !== undefined) continue;
      bytes += 1024 + values.reduce<number>((sum, value) => sum + byteLength(value), 0);
    }
    return bytes;
  }
}

function byteLength(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : 0;
}
