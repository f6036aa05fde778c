import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';

/** The same batches under another schema of the same types (a union's names are its first child's). */
export async function* withSchema(
  input: AsyncIterable<RecordBatch>,
  schema: Schema,
): AsyncGenerator<RecordBatch, void, undefined> {
  for await (const batch of input) yield batch.withColumns(schema, batch.columns);
}
