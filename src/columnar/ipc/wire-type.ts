import { type DataType, isNested, type TimeUnit } from '../data-type.js';
import type { Layout } from '../layout.js';
import { type FlatTable, malformedIpc } from './flatbuffer-reader.js';
import type { FlatbufferWriter } from './flatbuffer-writer.js';

/** Arrow's `Type` union, the members distq writes. */
const TYPE_IDS = {
  Null: 1,
  Int: 2,
  FloatingPoint: 3,
  Binary: 4,
  Utf8: 5,
  Bool: 6,
  Decimal: 7,
  Date: 8,
  Time: 9,
  Timestamp: 10,
  Interval: 11,
  FixedSizeBinary: 15,
  Duration: 18,
} as const;

/**
 * How a column's values lie in a message body: what the Arrow type in the schema message promises. `narrowDecimal` is a Decimal128 of
 * which every value fits an i64: Arrow type Int64 with the extension name `distq.decimal` and `precision,scale` as its metadata.
 */
export type WireType =
  | { readonly kind: 'Null' | 'Bool' | 'Utf8' | 'Binary' | 'Interval' }
  | { readonly kind: 'Int'; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: 'Float'; readonly bits: 32 | 64 }
  | { readonly kind: 'Decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'NarrowDecimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'Date'; readonly bits: 32 | 64 }
  | { readonly kind: 'Time'; readonly bits: 32 | 64; readonly unit: TimeUnit }
  | { readonly kind: 'Timestamp'; readonly unit: TimeUnit; readonly timezone: string | null }
  | { readonly kind: 'Duration'; readonly unit: TimeUnit }
  | { readonly kind: 'FixedSizeBinary'; readonly size: number };

/**
 * The wire type of a column of that type and layout. All string types travel as Utf8 and all binaries as Binary (32-bit offsets: a
 * frame is far below 2 GiB); the reader knows the logical type from its plan.
 */
export function wireType(type: DataType, layout: Layout): WireType {
  switch (type.kind) {
    case 'Null':
    case 'Interval':
      return { kind: type.kind };
    case 'Boolean':
      return { kind: 'Bool' };
    case 'Int8':
      return { kind: 'Int', bits: 8, signed: true };
    case 'Int16':
      return { kind: 'Int', bits: 16, signed: true };
    case 'Int32':
      return { kind: 'Int', bits: 32, signed: true };
    case 'Int64':
      return { kind: 'Int', bits: 64, signed: true };
    case 'UInt8':
      return { kind: 'Int', bits: 8, signed: false };
    case 'UInt16':
      return { kind: 'Int', bits: 16, signed: false };
    case 'UInt32':
      return { kind: 'Int', bits: 32, signed: false };
    case 'UInt64':
      return { kind: 'Int', bits: 64, signed: false };
    case 'Float32':
      return { kind: 'Float', bits: 32 };
    case 'Float64':
      return { kind: 'Float', bits: 64 };
    case 'Decimal128': {
      const { precision, scale } = type;
      return { kind: layout === 'i128' ? 'Decimal' : 'NarrowDecimal', precision, scale };
    }
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      return { kind: 'Utf8' };
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
      return { kind: 'Binary' };
    case 'FixedSizeBinary':
      return { kind: type.kind, size: type.size };
    case 'Date32':
      return { kind: 'Date', bits: 32 };
    case 'Date64':
      return { kind: 'Date', bits: 64 };
    case 'Time32':
      return { kind: 'Time', bits: 32, unit: type.unit };
    case 'Time64':
      return { kind: 'Time', bits: 64, unit: type.unit };
    case 'Timestamp':
      return { kind: type.kind, unit: type.unit, timezone: type.timezone };
    case 'Duration':
      return { kind: type.kind, unit: type.unit };
    case 'List':
    case 'Struct':
    case 'Map':
      // layout.ts refuses nested columns with a sentence for the user before any batch of them exists.
      throw malformedIpc(`a column of type ${type.kind}`);
  }
}

/** The layout a decoded column has. */
export function wireLayout(wire: WireType): Layout {
  switch (wire.kind) {
    case 'Null':
      return 'null';
    case 'Bool':
      return 'bool';
    case 'Utf8':
    case 'Binary':
    case 'FixedSizeBinary':
      return 'view';
    case 'Interval':
      return 'interval';
    case 'Int':
      return wire.signed ? `i${wire.bits}` : `u${wire.bits}`;
    case 'Float':
      return `f${wire.bits}`;
    case 'Decimal':
      return 'i128';
    case 'Date':
    case 'Time':
      return `i${wire.bits}`;
    case 'NarrowDecimal':
    case 'Timestamp':
    case 'Duration':
      return 'i64';
  }
}

export function wireTypesEqual(a: WireType, b: WireType): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'Null':
    case 'Bool':
    case 'Utf8':
    case 'Binary':
    case 'Interval':
      return a.kind === b.kind;
    case 'Int':
      return b.kind === a.kind && a.bits === b.bits && a.signed === b.signed;
    case 'Float':
    case 'Date':
      return b.kind === a.kind && a.bits === b.bits;
    case 'Decimal':
    case 'NarrowDecimal':
      return b.kind === a.kind && a.precision === b.precision && a.scale === b.scale;
    case 'Time':
      return b.kind === a.kind && a.bits === b.bits && a.unit === b.unit;
    case 'Timestamp':
      return b.kind === a.kind && a.unit === b.unit && a.timezone === b.timezone;
    case 'Duration':
      return b.kind === a.kind && a.unit === b.unit;
    case 'FixedSizeBinary':
      return b.kind === a.kind && a.size === b.size;
  }
}

const UNITS: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns'];
/** Arrow's default of the unit fields of Date, Time and Duration. */
const MILLISECOND = 1;

/** Writes the type's table; gives the union's tag and the table's offset. */
export function writeWireType(wire: WireType, writer: FlatbufferWriter): { readonly tag: number; readonly at: number } {
  switch (wire.kind) {
    case 'Null':
    case 'Bool':
    case 'Utf8':
    case 'Binary':
      writer.startTable(0);
      return { tag: TYPE_IDS[wire.kind], at: writer.endTable() };
    case 'Interval':
      writer.startTable(1);
      writer.addInt16(0, 2);
      return { tag: TYPE_IDS.Interval, at: writer.endTable() };
    case 'Int':
      return { tag: TYPE_IDS.Int, at: writeInt(writer, wire.bits, wire.signed) };
    case 'NarrowDecimal':
      return { tag: TYPE_IDS.Int, at: writeInt(writer, 64, true) };
    case 'Float':
      writer.startTable(1);
      writer.addInt16(0, wire.bits === 32 ? 1 : 2);
      return { tag: TYPE_IDS.FloatingPoint, at: writer.endTable() };
    case 'Decimal':
      writer.startTable(3);
      writer.addInt32(0, wire.precision);
      writer.addInt32(1, wire.scale);
      writer.addInt32(2, 128);
      return { tag: TYPE_IDS.Decimal, at: writer.endTable() };
    case 'Date':
      writer.startTable(1);
      writer.addInt16(0, wire.bits === 32 ? 0 : MILLISECOND);
      return { tag: TYPE_IDS.Date, at: writer.endTable() };
    case 'Time':
      writer.startTable(2);
      writer.addInt16(0, UNITS.indexOf(wire.unit));
      writer.addInt32(1, wire.bits);
      return { tag: TYPE_IDS.Time, at: writer.endTable() };
    case 'Timestamp': {
      const zone = wire.timezone === null ? 0 : writer.string(wire.timezone);
      writer.startTable(2);
      writer.addInt16(0, UNITS.indexOf(wire.unit));
      if (zone !== 0) writer.addOffset(1, zone);
      return { tag: TYPE_IDS.Timestamp, at: writer.endTable() };
    }
    case 'Duration':
      writer.startTable(1);
      writer.addInt16(0, UNITS.indexOf(wire.unit));
      return { tag: TYPE_IDS.Duration, at: writer.endTable() };
    case 'FixedSizeBinary':
      writer.startTable(1);
      writer.addInt32(0, wire.size);
      return { tag: TYPE_IDS.FixedSizeBinary, at: writer.endTable() };
  }
}

export function writeInt(writer: FlatbufferWriter, bits: number, signed: boolean): number {
  writer.startTable(2);
  writer.addInt32(0, bits);
  writer.addInt8(1, signed ? 1 : 0);
  return writer.endTable();
}

/** Reads a type's table. `extension` is the field's extension name and metadata, empty when it has none. */
export function readWireType(
  tag: number,
  table: FlatTable,
  extension: { readonly name: string; readonly metadata: string },
): WireType {
  switch (tag) {
    case TYPE_IDS.Null:
      return { kind: 'Null' };
    case TYPE_IDS.Bool:
      return { kind: 'Bool' };
    case TYPE_IDS.Utf8:
      return { kind: 'Utf8' };
    case TYPE_IDS.Binary:
      return { kind: 'Binary' };
    case TYPE_IDS.Interval:
      if (table.int16(0) !== 2) throw malformedIpc('an interval that is not MonthDayNano');
      return { kind: 'Interval' };
    case TYPE_IDS.Int: {
      const bits = table.int32(0);
      const signed = table.bool(1);
      if (extension.name === DECIMAL_EXTENSION) {
        const [precision, scale] = extension.metadata.split(',').map(Number);
        if (bits !== 64 || !signed || !Number.isInteger(precision) || !Number.isInteger(scale)) {
          throw malformedIpc('a narrow decimal with wrong metadata');
        }
        return { kind: 'NarrowDecimal', precision: precision ?? 0, scale: scale ?? 0 };
      }
      if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) throw malformedIpc(`integers of ${bits} bits`);
      return { kind: 'Int', bits, signed };
    }
    case TYPE_IDS.FloatingPoint: {
      const precision = table.int16(0);
      if (precision !== 1 && precision !== 2) throw malformedIpc('half-precision floats');
      return { kind: 'Float', bits: precision === 1 ? 32 : 64 };
    }
    case TYPE_IDS.Decimal:
      if (table.int32(2, 128) !== 128) throw malformedIpc('decimals that are not of 128 bits');
      return { kind: 'Decimal', precision: table.int32(0), scale: table.int32(1) };
    case TYPE_IDS.Date:
      return { kind: 'Date', bits: table.int16(0, MILLISECOND) === 0 ? 32 : 64 };
    case TYPE_IDS.Time: {
      const bits = table.int32(1, 32);
      if (bits !== 32 && bits !== 64) throw malformedIpc(`times of ${bits} bits`);
      return { kind: 'Time', bits, unit: readUnit(table.int16(0, MILLISECOND)) };
    }
    case TYPE_IDS.Timestamp: {
      const timezone = table.text(1);
      return { kind: 'Timestamp', unit: readUnit(table.int16(0)), timezone: timezone === '' ? null : timezone };
    }
    case TYPE_IDS.Duration:
      return { kind: 'Duration', unit: readUnit(table.int16(0, MILLISECOND)) };
    case TYPE_IDS.FixedSizeBinary:
      return { kind: 'FixedSizeBinary', size: table.int32(0) };
    default:
      throw malformedIpc(`a column of Arrow type ${tag}`);
  }
}

/** Extension name of the narrow decimals. */
export const DECIMAL_EXTENSION = 'distq.decimal';

function readUnit(value: number): TimeUnit {
  const unit = UNITS[value];
  if (unit === undefined) throw malformedIpc(`time unit ${value}`);
  return unit;
}

/** Whether a column of that logical type may come in that wire type: the check of a reader that knows what it asked for. */
export function carries(wire: WireType, type: DataType): boolean {
  if (isNested(type)) return false;
  return wireTypesEqual(wire, wireType(type, wireLayout(wire)));
}
