import { typeName } from '../../src/columnar/data-type.js';
import { formatValue } from '../../src/columnar/format-value.js';
import { physicalRow, valueAt } from '../../src/columnar/value-at.js';
import type { DataFrame } from '../../src/session/data-frame.js';
import type { SessionContext } from '../../src/session/session-context.js';
import type { TextRows } from './compare-rows.js';

/** The rows of a frame as text. */
async function frameRows(frame: DataFrame): Promise<TextRows> {
  const types = frame.schema.fields.map((f) => typeName(f.type));
  const rows: (string | null)[][] = [];
  for await (const batch of frame.batches()) {
    for (let i = 0; i < batch.numRows; i++) {
      const row = physicalRow(batch, i);
      rows.push(
        batch.columns.map((column) => {
          const value = valueAt(column, row);
          return value === null ? null : formatValue(column.type, value);
        }),
      );
    }
  }
  return { types, rows };
}

/** The rows of the one query in a text; definitions around it are carried out. */
export async function queryRows(session: SessionContext, sql: string): Promise<{ rows: TextRows; frame: DataFrame }> {
  let result: { rows: TextRows; frame: DataFrame } | undefined;
  for await (const frame of session.queries(sql)) result = { rows: await frameRows(frame), frame };
  if (result === undefined) throw new Error('the text holds no query');
  return result;
}
