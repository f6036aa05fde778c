import { formatValue } from '../../src/columnar/format-value.js';
import { physicalRow, valueAt } from '../../src/columnar/value-at.js';
import type { SessionContext } from '../../src/session/session-context.js';

/** The rows of a query as text per column; null stays null. */
export async function queryRows(session: SessionContext, sql: string): Promise<(string | null)[][]> {
  const frame = await session.sql(sql);
  const rows: (string | null)[][] = [];
  for await (const batch of frame.batches()) {
    for (let i = 0; i < batch.numRows; i++) {
      rows.push(
        batch.columns.map((column) => {
          const value = valueAt(column, physicalRow(batch, i));
          return value === null ? null : formatValue(column.type, value);
        }),
      );
    }
  }
  return rows;
}
