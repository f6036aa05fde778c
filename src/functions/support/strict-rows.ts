import { Column } from '../../columnar/column.js';
import { defaultLayout, type Layout } from '../../columnar/layout.js';
import type { ScalarFunctionInput } from '../../expr/function.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader, commonValidity, validAt } from '../../columnar/column-reader.js';

/**
 * Evaluates a strict function row by row: rows with a null argument are null, for the others `each` writes the result. When every
 * argument is constant so is the result.
 */
export function strictRows(
  input: ScalarFunctionInput,
  each: (row: number, args: readonly ColumnReader[], out: ColumnBuilder) => void,
  layout: Layout = defaultLayout(input.returnType),
): Column {
  const { args, returnType, arena, numRows } = input;
  const validity = commonValidity(args, numRows, arena);
  if (validity === 'none') return Column.nulls(returnType, layout, numRows);
  const readers = args.map((column) => new ColumnReader(column));
  if (args.length > 0 && numRows > 0 && args.every((column) => column.encoding === 'constant')) {
    const out = new ColumnBuilder(returnType, 1, arena, 0, layout);
    each(0, readers, out);
    const single = out.finish();
    return single.validity === 0
      ? Column.constant(returnType, layout, numRows, single.values)
      : Column.nulls(returnType, layout, numRows);
  }
  const out = new ColumnBuilder(returnType, numRows, arena, validity, layout);
  for (let row = 0; row < numRows; row++) if (validAt(validity, row)) each(row, readers, out);
  return out.finish();
}
