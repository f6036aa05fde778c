import type { Column } from './column.js';
import type { DataType } from './data-type.js';
import { isBinary } from './data-type.js';
import { heap } from './heap.js';
import { type Layout, layoutWidth } from './layout.js';
import type { RecordBatch } from './record-batch.js';
import type { ScalarValue } from './scalar-value.js';

const utf8 = new TextDecoder('utf-8');

/**
 * The value of physical row `row` (not of the selection's), in the form `ScalarValue` has for the column's type. For edges, messages
 * and tests: it makes a JavaScript value. Invalid UTF-8 comes with replacement characters.
 */
export function valueAt(column: Column, row: number): ScalarValue['value'] {
  if (isNullAt(column, row)) return null;
  const address = valueAddress(column, row);
  return valueAtAddress(column.type, column.layout, address);
}

export function isNullAt(column: Column, row: number): boolean {
  if (column.layout === 'null') return true;
  if (column.validity === 0) return false;
  const bit = column.encoding === 'constant' ? 0 : row;
  return ((heap.u8[column.validity + (bit >>> 3)]! >>> (bit & 7)) & 1) === 0;
}

/** Where the (not null) value of a physical row lies, whatever the encoding. */
export function valueAddress(column: Column, row: number): number {
  const width = layoutWidth(column.layout);
  switch (column.encoding) {
    case 'flat':
      return column.values + row * width;
    case 'dictionary':
      return column.dictionary!.values + heap.u32[(column.values >>> 2) + row]! * width;
    case 'constant':
      return column.values;
  }
}

/** The physical row that the batch's `index`-th selected row is. */
export function physicalRow(batch: RecordBatch, index: number): number {
  return batch.selection === 0 ? index : heap.u32[(batch.selection >>> 2) + index]!;
}

function viewedBytes(address: number): Uint8Array {
  const start = heap.u32[address >>> 2]!;
  return heap.u8.subarray(start, start + heap.u32[(address >>> 2) + 1]!);
}

/** The value that lies at `address` in that layout; addresses are aligned to the value's width. */
export function valueAtAddress(type: DataType, layout: Layout, address: number): ScalarValue['value'] {
  switch (layout) {
    case 'null':
      return null;
    case 'bool':
      return heap.u8[address] !== 0;
    case 'i8':
      return heap.i8[address]!;
    case 'i16':
      return heap.i16[address >>> 1]!;
    case 'i32':
      return heap.i32[address >>> 2]!;
    case 'u8':
      return heap.u8[address]!;
    case 'u16':
      return heap.u16[address >>> 1]!;
    case 'u32':
      return heap.u32[address >>> 2]!;
    case 'i64':
      return heap.i64[address >>> 3]!;
    case 'u64':
      return heap.u64[address >>> 3]!;
    case 'f32':
      return heap.f32[address >>> 2]!;
    case 'f64':
      return heap.f64[address >>> 3]!;
    case 'i128':
      return (heap.i64[(address >>> 3) + 1]! << 64n) | heap.u64[address >>> 3]!;
    case 'interval':
      return {
        months: heap.i32[address >>> 2]!,
        days: heap.i32[(address >>> 2) + 1]!,
        nanos: heap.i64[(address >>> 3) + 1]!,
      };
    case 'view': {
      const bytes = viewedBytes(address);
      return isBinary(type) || type.kind === 'FixedSizeBinary' ? bytes.slice() : utf8.decode(bytes);
    }
  }
}
