import { Column } from '../../columnar/column.js';
import type { ScalarFunction } from '../../expr/function.js';
import { alignLayouts } from '../../columnar/align-layouts.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { heap } from '../../columnar/heap.js';
import { layoutWidth } from '../../columnar/layout.js';
import { firstArgumentType, requireArity } from '../support/signature.js';
import { equalValues } from '../../columnar/value-order.js';
import { commonType } from './coalesce.js';

/** The first argument, or null where it equals the second. */
export const nullif: ScalarFunction = {
  name: 'nullif',
  aliases: [],
  volatility: 'immutable',
  strict: false,
  doc: {
    summary: 'Null when both values are equal, else the first.',
    example: { sql: 'SELECT nullif(3, 4)', result: '3' },
  },
  coerce(argTypes) {
    requireArity('nullif', argTypes, 2);
    const type = commonType('nullif', argTypes);
    return [type, type];
  },
  returnType: firstArgumentType,
  nullable: () => true,
  evaluate({ args, numRows, returnType, arena }) {
    const columns = alignLayouts(args, returnType, arena);
    const layout = columns[0]!.layout;
    if (layout === 'null') return Column.nulls(returnType, layout, numRows);
    const [left, right] = columns.map((column) => new ColumnReader(column));
    const width = layoutWidth(layout);
    const out = new ColumnBuilder(returnType, numRows, arena, 0, layout);
    for (let row = 0; row < numRows; row++) {
      if (left!.isNull(row) || (!right!.isNull(row) && equalValues(layout, left!.address(row), right!.address(row)))) {
        out.setNull(row);
        continue;
      }
      const from = left!.address(row);
      heap.u8.copyWithin(out.values + row * width, from, from + width);
    }
    return out.finish();
  },
};
