import type { Column } from '../../columnar/column.js';
import { type DataType, isNumeric } from '../../columnar/data-type.js';
import { formatValue } from '../../columnar/format-value.js';
import { heap } from '../../columnar/heap.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { valueAt } from '../../columnar/value-at.js';

/**
 * A cell for people: exact text, a blank instead of `T` in timestamps, control characters made visible, NULL for null. Line ends
 * stay where the format can show several lines.
 */
export function cellText(column: Column, row: number, { lines = false }: { lines?: boolean } = {}): string {
  const value = valueAt(column, row);
  if (value === null) return 'NULL';
  const text = formatValue(column.type, value);
  const shown = column.type.kind === 'Timestamp' ? text.replace('T', ' ') : text;
  return lines ? shown.split('\n').map(printable).join('\n') : printable(shown);
}

/** Physical row of the i-th selected row. */
export function physicalRow(batch: RecordBatch, i: number): number {
  return batch.selection === 0 ? i : (heap.u32[(batch.selection >>> 2) + i] ?? 0);
}

/** Control characters and bidirectional overrides as escapes: data must not steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (control) => {
    if (control === '\n') return '\\n';
    if (control === '\t') return '\\t';
    if (control === '\r') return '\\r';
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function isRightAligned(type: DataType): boolean {
  return isNumeric(type);
}
