import { createHash } from 'node:crypto';
import { type DataType, isNested, isString } from '../../src/columnar/data-type.js';
import { formatDecimal } from '../../src/columnar/decimal-text.js';
import type { ScalarValue } from '../../src/columnar/scalar-value.js';
import { valueAt } from '../../src/columnar/value-at.js';
import { SessionConfig } from '../../src/config/session-config.js';
import { ParquetTable } from '../../src/sources/parquet/parquet-table.js';
import { scanContext } from './scan-context.js';

/** Values of corpora's canonical form (see INDEX.md there), column by column. */
export interface CanonicalColumn {
  readonly name: string;
  readonly type: DataType;
  readonly values: readonly (string | boolean | null)[];
}

/** All flat columns of a file, in canonical form. Reads in batches of `batchSize`. */
export async function canonicalColumns(path: string, batchSize: number): Promise<CanonicalColumn[]> {
  const table = await ParquetTable.open(path, SessionConfig.defaults);
  const flat = table.schema.fields.flatMap((field, index) => (isNested(field.type) ? [] : [index]));
  const source = table.scan({ projection: flat, limit: null, targetPartitions: 1 });
  const context = scanContext({ batchSize, source });
  const values: (string | boolean | null)[][] = flat.map(() => []);
  let rows = 0;
  try {
    for await (const batch of source.open(0, context)) {
      rows += batch.numRows;
      for (const [position, column] of batch.columns.entries()) {
        for (let row = 0; row < batch.numRows; row++) {
          values[position]?.push(canonicalValue(column.type, valueAt(column, row)));
        }
      }
    }
  } finally {
    await context.scope.drained();
  }
  if (context.memory.usedBytes !== 0) throw new Error(`the scan of ${path} kept ${context.memory.usedBytes} bytes`);
  for (const column of values) if (column.length !== rows) throw new Error(`${path}: columns of unequal length`);
  return flat.map((index, position) => {
    const { name, type } = table.schema.field(index);
    return { name, type, values: values[position] ?? [] };
  });
}

const NANOS = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n } as const;

function canonicalValue(type: DataType, value: ScalarValue['value']): string | boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  if (type.kind === 'Timestamp' || type.kind === 'Time32' || type.kind === 'Time64') {
    if (typeof value === 'bigint' || typeof value === 'number') return String(BigInt(value) * NANOS[type.unit]);
  }
  if (type.kind === 'Decimal128' && typeof value === 'bigint') return formatDecimal(value, type.scale);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint' || (typeof value === 'string' && isString(type))) return String(value);
  throw new Error(`no canonical form of a ${typeof value} of type ${type.kind}`);
}

export function canonicalMd5(values: unknown): string {
  return createHash('md5').update(JSON.stringify(values)).digest('hex');
}
