import type { DataType } from '../../columnar/data-type.js';
import { kernels } from '../../columnar/kernels.js';
import { type Layout, layoutWidth } from '../../columnar/layout.js';
import { physicalWidth } from './format.js';
import type { ParquetLeaf } from './parquet-schema.js';

/** Converts `count` values at `source` to the column's layout at `to`; false when one does not fit. */
type Convert = (source: number, count: number, to: number) => boolean;

/** How values of a leaf become values of a column. */
export interface LeafFormat {
  readonly layout: Layout;
  /** Bytes of a value in the column. */
  readonly width: number;
  /** Bytes of a PLAIN value; 0 for byte arrays. Booleans count as unpacked: 1. */
  readonly stride: number;
  /** From contiguous PLAIN values; null where a copy does. Byte arrays have none. */
  readonly fromFixed: Convert | null;
  /** From views of byte arrays; null where the views are the values. */
  readonly fromViews: Convert | null;
  /** Values are views: the pages behind them must live as long as a batch. */
  readonly pinsPages: boolean;
}

/** `scratch` is the address of 16 bytes that belong to the reader. */
export function leafFormat(leaf: ParquetLeaf, type: DataType, scratch: number): LeafFormat {
  const { physicalType, typeLength } = leaf;
  const stride = physicalType === 'BOOLEAN' ? 1 : physicalWidth(physicalType, typeLength);
  const fixed = (layout: Layout, fromFixed: Convert | null = null): LeafFormat => ({
    layout,
    width: layoutWidth(layout),
    stride,
    fromFixed,
    fromViews: null,
    pinsPages: layout === 'view',
  });
  switch (physicalType) {
    case 'BOOLEAN':
      return fixed('bool');
    case 'INT32':
      return int32Format(type, fixed);
    case 'INT64':
      return fixed(type.kind === 'UInt64' ? 'u64' : 'i64');
    case 'INT96':
      return fixed('i64', checked(kernels.int96ToNanos));
    case 'FLOAT':
      return fixed('f32');
    case 'DOUBLE':
      return fixed('f64');
    case 'BYTE_ARRAY': {
      if (type.kind !== 'Decimal128') return fixed('view');
      const layout = type.precision <= 18 ? 'i64' : 'i128';
      const fromViews: Convert =
        layout === 'i64'
          ? (views, count, to) => kernels.viewedDecimalsToI64(views, count, to, scratch) === 1
          : checked(kernels.viewedDecimalsToI128);
      return { ...fixed(layout), fromViews };
    }
    case 'FIXED_LEN_BYTE_ARRAY':
      if (type.kind === 'Decimal128') {
        return type.precision <= 18
          ? fixed('i64', (source, count, to) => kernels.decimalsToI64(source, stride, count, to, scratch) === 1)
          : fixed('i128', (source, count, to) => kernels.decimalsToI128(source, stride, count, to) === 1);
      }
      if (type.kind === 'Float32') return fixed('f32', always(kernels.halfToF32));
      if (type.kind === 'Interval') return fixed('interval', always(kernels.intervalsToNanos));
      return fixed('view', (source, count, to) => {
        kernels.fixedViews(source, stride, count, to);
        return true;
      });
  }
}

function int32Format(type: DataType, fixed: (layout: Layout, fromFixed?: Convert) => LeafFormat): LeafFormat {
  if (type.kind === 'Int8') return fixed('i8', checked(kernels.i32ToI8));
  if (type.kind === 'Int16') return fixed('i16', checked(kernels.i32ToI16));
  if (type.kind === 'UInt8') return fixed('u8', checked(kernels.i32ToU8));
  if (type.kind === 'UInt16') return fixed('u16', checked(kernels.i32ToU16));
  if (type.kind === 'UInt32') return fixed('u32');
  return type.kind === 'Decimal128' ? fixed('i64', always(kernels.i32ToI64)) : fixed('i32');
}

function checked(convert: (source: number, count: number, to: number) => number): Convert {
  return (source, count, to) => convert(source, count, to) === 1;
}

function always(convert: (source: number, count: number, to: number) => void): Convert {
  return (source, count, to) => {
    convert(source, count, to);
    return true;
  };
}
