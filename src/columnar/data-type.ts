/** Unit of a time of day, a timestamp or a duration: what one step of the stored integer means. */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** A named, typed column of a schema or a nested type. `nullable` false is a promise that no value is null. */
export interface Field {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
}

/**
 * The logical types, named and printed as Arrow and DataFusion do.
 * The run-time layout of a column is a separate matter (`layout.ts`): a decimal may be stored narrow or wide, a string as views.
 */
export type DataType =
  | { readonly kind: 'Null' }
  | { readonly kind: 'Boolean' }
  | { readonly kind: 'Int8' | 'Int16' | 'Int32' | 'Int64' }
  | { readonly kind: 'UInt8' | 'UInt16' | 'UInt32' | 'UInt64' }
  | { readonly kind: 'Float32' | 'Float64' }
  | { readonly kind: 'Decimal128'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'Utf8' | 'LargeUtf8' | 'Utf8View' }
  | { readonly kind: 'Binary' | 'LargeBinary' | 'BinaryView' }
  | { readonly kind: 'FixedSizeBinary'; readonly size: number }
  | { readonly kind: 'Date32' | 'Date64' }
  | { readonly kind: 'Time32' | 'Time64'; readonly unit: TimeUnit }
  | { readonly kind: 'Timestamp'; readonly unit: TimeUnit; readonly timezone: string | null }
  | { readonly kind: 'Duration'; readonly unit: TimeUnit }
  | { readonly kind: 'Interval' }
  | { readonly kind: 'List'; readonly element: Field }
  | { readonly kind: 'Struct'; readonly fields: readonly Field[] }
  | { readonly kind: 'Map'; readonly key: Field; readonly value: Field };

export type TypeKind = DataType['kind'];

/** The kinds of types that are their kind and nothing else. */
export type PlainKind = Exclude<
  TypeKind,
  'Decimal128' | 'FixedSizeBinary' | 'Time32' | 'Time64' | 'Timestamp' | 'Duration' | 'List' | 'Struct' | 'Map'
>;

const PLAIN_KINDS: readonly PlainKind[] = [
  'Null',
  'Boolean',
  'Int8',
  'Int16',
  'Int32',
  'Int64',
  'UInt8',
  'UInt16',
  'UInt32',
  'UInt64',
  'Float32',
  'Float64',
  'Utf8',
  'LargeUtf8',
  'Utf8View',
  'Binary',
  'LargeBinary',
  'BinaryView',
  'Date32',
  'Date64',
  'Interval',
];

const PLAIN: ReadonlySet<string> = new Set(PLAIN_KINDS);

export function isPlainKind(kind: string): kind is PlainKind {
  return PLAIN.has(kind);
}

export function isPlainType(type: DataType): type is Extract<DataType, { readonly kind: PlainKind }> {
  return PLAIN.has(type.kind);
}

export const NULL: DataType = { kind: 'Null' };
export const BOOLEAN: DataType = { kind: 'Boolean' };
export const INT8: DataType = { kind: 'Int8' };
export const INT16: DataType = { kind: 'Int16' };
export const INT32: DataType = { kind: 'Int32' };
export const INT64: DataType = { kind: 'Int64' };
export const UINT8: DataType = { kind: 'UInt8' };
export const UINT16: DataType = { kind: 'UInt16' };
export const UINT32: DataType = { kind: 'UInt32' };
export const UINT64: DataType = { kind: 'UInt64' };
export const FLOAT32: DataType = { kind: 'Float32' };
export const FLOAT64: DataType = { kind: 'Float64' };
export const UTF8: DataType = { kind: 'Utf8' };
export const LARGE_UTF8: DataType = { kind: 'LargeUtf8' };
export const UTF8_VIEW: DataType = { kind: 'Utf8View' };
export const BINARY: DataType = { kind: 'Binary' };
export const BINARY_VIEW: DataType = { kind: 'BinaryView' };
export const DATE32: DataType = { kind: 'Date32' };
/** `Interval(MonthDayNano)`, the only interval DataFusion's SQL makes. */
export const INTERVAL: DataType = { kind: 'Interval' };

/** Decimal128(precision, scale); 1 ≤ precision ≤ 38. */
export function decimal(precision: number, scale: number): DataType {
  return { kind: 'Decimal128', precision, scale };
}

export function timestamp(unit: TimeUnit, timezone: string | null = null): DataType {
  return { kind: 'Timestamp', unit, timezone };
}

export function field(name: string, type: DataType, nullable = true): Field {
  return { name, type, nullable };
}

export function typesEqual(a: DataType, b: DataType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (isPlainType(a)) return true;
  switch (a.kind) {
    case 'Decimal128':
      return b.kind === a.kind && a.precision === b.precision && a.scale === b.scale;
    case 'FixedSizeBinary':
      return b.kind === a.kind && a.size === b.size;
    case 'Time32':
    case 'Time64':
    case 'Duration':
      return b.kind === a.kind && a.unit === b.unit;
    case 'Timestamp':
      return b.kind === a.kind && a.unit === b.unit && a.timezone === b.timezone;
    case 'List':
      return b.kind === a.kind && fieldsEqual(a.element, b.element);
    case 'Struct':
      return (
        b.kind === a.kind &&
        a.fields.length === b.fields.length &&
        a.fields.every((f, i) => fieldsEqual(f, b.fields[i]!))
      );
    case 'Map':
      return b.kind === a.kind && fieldsEqual(a.key, b.key) && fieldsEqual(a.value, b.value);
  }
}

export function fieldsEqual(a: Field, b: Field): boolean {
  return a.name === b.name && a.nullable === b.nullable && typesEqual(a.type, b.type);
}

const UNIT_NAMES: Readonly<Record<TimeUnit, string>> = { s: 's', ms: 'ms', us: 'µs', ns: 'ns' };

/** Arrow's display form, as DataFusion 55 prints it in CAST and schemas: `Decimal128(15, 2)`, `Timestamp(ns)`, `Utf8View`. */
export function typeName(type: DataType): string {
  if (isPlainType(type)) return type.kind === 'Interval' ? 'Interval(MonthDayNano)' : type.kind;
  switch (type.kind) {
    case 'Decimal128':
      return `Decimal128(${type.precision}, ${type.scale})`;
    case 'FixedSizeBinary':
      return `FixedSizeBinary(${type.size})`;
    case 'Time32':
    case 'Time64':
    case 'Duration':
      return `${type.kind}(${UNIT_NAMES[type.unit]})`;
    case 'Timestamp':
      return type.timezone === null
        ? `Timestamp(${UNIT_NAMES[type.unit]})`
        : `Timestamp(${UNIT_NAMES[type.unit]}, "${type.timezone}")`;
    case 'List':
      return `List(${nestedName(type.element)})`;
    case 'Struct':
      return `Struct(${type.fields.map((f) => `"${f.name}": ${nestedName(f)}`).join(', ')})`;
    case 'Map':
      return `Map(${nestedName(type.key)}, ${nestedName(type.value)})`;
  }
}

function nestedName(f: Field): string {
  return f.nullable ? typeName(f.type) : `non-null ${typeName(f.type)}`;
}

export function isSignedInteger(type: DataType): boolean {
  return type.kind === 'Int8' || type.kind === 'Int16' || type.kind === 'Int32' || type.kind === 'Int64';
}

export function isUnsignedInteger(type: DataType): boolean {
  return type.kind === 'UInt8' || type.kind === 'UInt16' || type.kind === 'UInt32' || type.kind === 'UInt64';
}

export function isInteger(type: DataType): boolean {
  return isSignedInteger(type) || isUnsignedInteger(type);
}

export function isFloating(type: DataType): boolean {
  return type.kind === 'Float32' || type.kind === 'Float64';
}

export function isDecimal(type: DataType): type is Extract<DataType, { kind: 'Decimal128' }> {
  return type.kind === 'Decimal128';
}

export function isNumeric(type: DataType): boolean {
  return isInteger(type) || isFloating(type) || isDecimal(type);
}

export function isString(type: DataType): boolean {
  return type.kind === 'Utf8' || type.kind === 'LargeUtf8' || type.kind === 'Utf8View';
}

export function isBinary(type: DataType): boolean {
  return type.kind === 'Binary' || type.kind === 'LargeBinary' || type.kind === 'BinaryView';
}

const TEMPORAL_KINDS: ReadonlySet<TypeKind> = new Set<TypeKind>([
  'Date32',
  'Date64',
  'Time32',
  'Time64',
  'Timestamp',
  'Duration',
  'Interval',
]);

export function isTemporal(type: DataType): boolean {
  return TEMPORAL_KINDS.has(type.kind);
}

export function isNested(type: DataType): boolean {
  return type.kind === 'List' || type.kind === 'Struct' || type.kind === 'Map';
}

/**
 * Bytes per value as Arrow counts them, for statistics (`total_byte_size`); undefined for types without a fixed primitive width
 * (DataFusion counts Boolean among these).
 */
export function primitiveWidth(type: DataType): number | undefined {
  switch (type.kind) {
    case 'Int8':
    case 'UInt8':
      return 1;
    case 'Int16':
    case 'UInt16':
      return 2;
    case 'Int32':
    case 'UInt32':
    case 'Float32':
    case 'Date32':
    case 'Time32':
      return 4;
    case 'Int64':
    case 'UInt64':
    case 'Float64':
    case 'Date64':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
      return 8;
    case 'Decimal128':
    case 'Interval':
      return 16;
    case 'Null':
    case 'Boolean':
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}

/** `name:Type;N`: a column in a schema that a plan prints. */
export function fieldPlanText({ name, type, nullable }: Field): string {
  return `${name}:${typeName(type)}${nullable ? ';N' : ''}`;
}
