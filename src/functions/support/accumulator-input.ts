import type { Column } from '../../columnar/column.js';
import { bitmapBytes } from '../../columnar/column.js';
import { flattenColumn } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput } from '../../expr/function.js';

/**
 * The rows of a call that count: 0 = all, 'none', or the address of a bitmap. A row counts when the filter lets it through and none
 * of the columns is null there.
 */
export function countedRows(columns: readonly Column[], input: AccumulatorInput): number | 'none' {
  let mask = input.filter;
  let owned = false;
  for (const column of columns) {
    if (column.layout === 'null') return 'none';
    if (column.validity === 0) continue;
    if (column.encoding === 'constant') {
      if ((heap.u8[column.validity]! & 1) === 0) return 'none';
      continue;
    }
    if (mask === 0) {
      mask = column.validity;
      continue;
    }
    const both = owned ? mask : input.scratch.alloc(bitmapBytes(input.numRows));
    kernels.andBits(mask, column.validity, input.numRows, both);
    mask = both;
    owned = true;
  }
  return mask;
}

/** The address of the column's values, spelled out. */
export function flatValues(column: Column, input: AccumulatorInput): number {
  return flattenColumn(column, input.scratch).values;
}
