import { DistqError } from '../../base/errors.js';
import type { Column } from '../column.js';
import { typeName } from '../data-type.js';
import { formatDate } from '../calendar.js';
import { formatValue } from '../format-value.js';
import { heap } from '../heap.js';
import { valueAddress, valueAt } from '../value-at.js';
import type { ByteWriter } from './byte-writer.js';
import { i64Text, narrowDecimalText, u64Text, wideDecimalText } from './number-text.js';

/** Writes the value of one physical row; only called for rows that are not null. */
export type CellWriter = (row: number) => void;

/** How a machine format writes the kinds of values that formats differ in. */
export interface CellStyle {
  /** Quotes and escapes a string whose bytes lie in the engine memory. */
  string(address: number, length: number): void;
  /** Text that is not a bare number or boolean: dates, times, intervals. */
  text(value: string): void;
  /** Exact digits; `wide` marks types that do not fit a double (int64, uint64, decimals). */
  number(digits: string, wide: boolean): void;
  float(value: number, single: boolean): void;
  binary(bytes: Uint8Array): void;
}

/** The writer of one column's cells in a style; made once per batch. */
export function cellWriter(column: Column, out: ByteWriter, style: CellStyle): CellWriter {
  const { type, layout } = column;
  switch (type.kind) {
    case 'Null':
      return () => undefined;
    case 'Boolean':
      return (row) => {
        out.ascii(heap.u8[valueAddress(column, row)] === 0 ? 'false' : 'true');
      };
    case 'Int8':
      return (row) => {
        style.number(String(heap.i8[valueAddress(column, row)]!), false);
      };
    case 'Int16':
      return (row) => {
        style.number(String(heap.i16[valueAddress(column, row) >>> 1]!), false);
      };
    case 'Int32':
      return (row) => {
        style.number(String(heap.i32[valueAddress(column, row) >>> 2]!), false);
      };
    case 'UInt8':
      return (row) => {
        style.number(String(heap.u8[valueAddress(column, row)]!), false);
      };
    case 'UInt16':
      return (row) => {
        style.number(String(heap.u16[valueAddress(column, row) >>> 1]!), false);
      };
    case 'UInt32':
      return (row) => {
        style.number(String(heap.u32[valueAddress(column, row) >>> 2]!), false);
      };
    case 'Int64':
      return (row) => {
        style.number(i64Text(valueAddress(column, row)), true);
      };
    case 'UInt64':
      return (row) => {
        style.number(u64Text(valueAddress(column, row)), true);
      };
    case 'Float32':
      return (row) => {
        style.float(heap.f32[valueAddress(column, row) >>> 2]!, true);
      };
    case 'Float64':
      return (row) => {
        style.float(heap.f64[valueAddress(column, row) >>> 3]!, false);
      };
    case 'Decimal128': {
      const { scale } = type;
      return layout === 'i128'
        ? (row) => {
            style.number(wideDecimalText(valueAddress(column, row), scale), true);
          }
        : (row) => {
            style.number(narrowDecimalText(valueAddress(column, row), scale), true);
          };
    }
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      return (row) => {
        const view = valueAddress(column, row) >>> 2;
        style.string(heap.u32[view]!, heap.u32[view + 1]!);
      };
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
      return (row) => {
        const view = valueAddress(column, row) >>> 2;
        const address = heap.u32[view]!;
        style.binary(heap.u8.subarray(address, address + heap.u32[view + 1]!));
      };
    case 'Date32':
      return (row) => {
        style.text(formatDate(heap.i32[valueAddress(column, row) >>> 2]!));
      };
    case 'Date64':
    case 'Time32':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
    case 'Interval':
      return (row) => {
        const value = valueAt(column, row);
        if (value !== null) style.text(formatValue(type, value));
      };
    case 'List':
    case 'Struct':
    case 'Map':
      throw new DistqError('not_implemented', `values of type ${typeName(type)} are not supported`);
  }
}
