import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { commonValidity, validAt } from '../../columnar/column-reader.js';
import type { DataType } from '../../columnar/data-type.js';
import { defaultLayout, type Layout } from '../../columnar/layout.js';
import type { EvalContext } from './eval-node.js';
import { forEachRow, type Rows } from './rows.js';

/**
 * A column that is null where an operand is null and has `write`'s result elsewhere. `write` sees only the given rows, without nulls:
 * whatever can fail never meets garbage. Constant operands give a constant.
 */
export function strictColumn(
  context: EvalContext,
  rows: Rows,
  operands: readonly Column[],
  type: DataType,
  write: (row: number, out: ColumnBuilder) => void,
  layout: Layout = defaultLayout(type),
): Column {
  const { arena } = context;
  const validity = commonValidity(operands, rows.capacity, arena);
  if (validity === 'none') return Column.nulls(type, layout, rows.capacity);
  if (rows.count > 0 && operands.length > 0 && operands.every((column) => column.encoding === 'constant')) {
    const single = new ColumnBuilder(type, 1, arena, 0, layout);
    write(0, single);
    return constantOf(single.finish(), rows.capacity);
  }
  const out = new ColumnBuilder(type, rows.capacity, arena, validity, layout);
  forEachRow(rows, (row) => {
    if (validAt(validity, row)) write(row, out);
  });
  return out.finish();
}

/** The one row of a column, repeated. */
export function constantOf(single: Column, length: number): Column {
  return single.validity === 0
    ? Column.constant(single.type, single.layout, length, single.values)
    : Column.nulls(single.type, single.layout, length);
}
