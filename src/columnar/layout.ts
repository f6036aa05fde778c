import { DistqError } from '../base/errors.js';
import { type DataType, typeName } from './data-type.js';

/**
 * How one value lies in memory. Little endian, values contiguous, no padding between them.
 *
 * - `bool`: one byte, 0 or 1.
 * - `i8 … u64`, `f32`, `f64`: natural width. Date32 is i32; Date64, Time64, Timestamp, Duration are i64; Time32 is i32.
 * - `i128`: two limbs, low u64 then high i64. A Decimal128 column is `i64` when every value of it fits, else `i128`: a run-time
 *   matter that types, hashes and results never depend on.
 * - `view`: strings and binaries: u32 address, u32 length of bytes elsewhere in the same memory (8 bytes per value). A length of 0
 *   is an empty string whatever the address. FixedSizeBinary too.
 * - `interval`: i32 months, i32 days, i64 nanoseconds (16 bytes).
 * - `null`: no bytes at all; every value is null.
 */
export type Layout =
  | 'null'
  | 'bool'
  | 'i8'
  | 'i16'
  | 'i32'
  | 'i64'
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 'f32'
  | 'f64'
  | 'i128'
  | 'view'
  | 'interval';

const WIDTHS: Readonly<Record<Layout, number>> = {
  null: 0,
  bool: 1,
  i8: 1,
  i16: 2,
  i32: 4,
  i64: 8,
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  f32: 4,
  f64: 8,
  i128: 16,
  view: 8,
  interval: 16,
};

/** Bytes of one value. */
export function layoutWidth(layout: Layout): number {
  return WIDTHS[layout];
}

/**
 * The layout a column of this type has by default: decimals of up to 18 digits `i64`, wider ones `i128`.
 * A wider decimal column may still come as `i64` (see `Layout`). Nested types have none: `not_implemented`.
 */
export function defaultLayout(type: DataType): Layout {
  switch (type.kind) {
    case 'Null':
      return 'null';
    case 'Boolean':
      return 'bool';
    case 'Int8':
      return 'i8';
    case 'Int16':
      return 'i16';
    case 'Int32':
    case 'Date32':
    case 'Time32':
      return 'i32';
    case 'Int64':
    case 'Date64':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
      return 'i64';
    case 'UInt8':
      return 'u8';
    case 'UInt16':
      return 'u16';
    case 'UInt32':
      return 'u32';
    case 'UInt64':
      return 'u64';
    case 'Float32':
      return 'f32';
    case 'Float64':
      return 'f64';
    case 'Decimal128':
      return type.precision <= 18 ? 'i64' : 'i128';
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
      return 'view';
    case 'Interval':
      return 'interval';
    case 'List':
    case 'Struct':
    case 'Map':
      throw new DistqError('not_implemented', `columns of type ${typeName(type)} are not supported`);
  }
}
