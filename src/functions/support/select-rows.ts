import type { Column } from '../../columnar/column.js';
import { heap } from '../../columnar/heap.js';
import { layoutWidth } from '../../columnar/layout.js';
import type { ScalarFunctionInput } from '../../expr/function.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { alignLayouts } from '../../columnar/align-layouts.js';

/** Copies, row by row, the value of the argument that `choose` names; a negative choice is null. */
export function selectRows(
  input: ScalarFunctionInput,
  choose: (readers: readonly ColumnReader[], row: number) => number,
): Column {
  const { numRows, returnType, arena } = input;
  const columns = alignLayouts(input.args, returnType, arena);
  const layout = columns[0]!.layout;
  const readers = columns.map((column) => new ColumnReader(column));
  const width = layoutWidth(layout);
  const out = new ColumnBuilder(returnType, numRows, arena, 0, layout);
  for (let row = 0; row < numRows; row++) {
    const chosen = readers[choose(readers, row)];
    if (chosen === undefined || chosen.isNull(row)) {
      out.setNull(row);
      continue;
    }
    const from = chosen.address(row);
    heap.u8.copyWithin(out.values + row * width, from, from + width);
  }
  return out.finish();
}
