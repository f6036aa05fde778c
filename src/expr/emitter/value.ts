import type { DataType, TypeKind } from '../../columnar/data-type.js';
import type { Layout } from '../../columnar/layout.js';
import type { MemoryType, WasmType } from './wasm-code.js';

/** How a value is held in locals: one number, or a string's address and length. Decimals are always narrow here (`i64`). */
export type ValueKind = WasmType | 'string';

/** A computed value of the current row. Under a null the number is garbage. */
export interface Value {
  readonly kind: ValueKind;
  /** The number's local, or that of a string's address. */
  readonly local: number;
  /** Strings: the local of the length in bytes; else -1. */
  readonly length: number;
  /** The i32 local that is 1 when the value is null; null when it never is. */
  readonly nul: number | null;
}

/** How values of a type are held; undefined for types that emitted code does not handle. */
export function kindOfType(type: DataType): ValueKind | undefined {
  switch (type.kind) {
    case 'Boolean':
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
    case 'Date32':
    case 'Time32':
      return 'i32';
    case 'Int64':
    case 'UInt64':
    case 'Date64':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
    case 'Decimal128':
      return 'i64';
    case 'Float32':
      return 'f32';
    case 'Float64':
      return 'f64';
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
      return 'string';
    case 'Null':
    case 'Interval':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}

/** How one value of a layout is loaded and stored; undefined for those that need more (`view`, `i128`) or are not handled. */
export function memoryTypeOf(layout: Layout): MemoryType | undefined {
  switch (layout) {
    case 'bool':
      return 'u8';
    case 'i8':
    case 'u8':
    case 'i16':
    case 'u16':
    case 'i32':
    case 'i64':
    case 'f32':
    case 'f64':
      return layout;
    case 'u32':
      return 'i32';
    case 'u64':
      return 'i64';
    case 'null':
    case 'i128':
    case 'view':
    case 'interval':
      return undefined;
  }
}

const NARROW_RESULTS: Readonly<Partial<Record<TypeKind, MemoryType>>> = {
  Boolean: 'u8',
  UInt8: 'u8',
  Int8: 'i8',
  Int16: 'i16',
  UInt16: 'u16',
};

/** Layout of results: decimals narrow. */
export function resultMemoryType(type: DataType): MemoryType | undefined {
  const kind = kindOfType(type);
  if (kind === undefined || kind === 'string') return undefined;
  return NARROW_RESULTS[type.kind] ?? kind;
}

/** Whether integers of the type compare as unsigned. */
export function isUnsignedType(type: DataType): boolean {
  return type.kind === 'UInt32' || type.kind === 'UInt64';
}
