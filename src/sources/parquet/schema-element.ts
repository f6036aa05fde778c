import { THRIFT, ThriftError, type ThriftReader } from './thrift-reader.js';

/** What a column's values mean, from LogicalType or, in older files, ConvertedType. `none`: the physical type says it all. */
export type Annotation =
  | {
      readonly kind:
        | 'none'
        | 'string'
        | 'enum'
        | 'json'
        | 'bson'
        | 'uuid'
        | 'float16'
        | 'date'
        | 'unknown'
        | 'interval';
    }
  | { readonly kind: 'list' | 'map' | 'variant' | 'geometry' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'time' | 'timestamp'; readonly unit: 'ms' | 'us' | 'ns'; readonly utc: boolean }
  | { readonly kind: 'integer'; readonly bits: number; readonly signed: boolean };

/** One entry of the footer's flattened schema tree, as stored. */
export interface SchemaElement {
  readonly name: string;
  /** Number of the physical type; undefined for groups. */
  readonly type: number | undefined;
  readonly typeLength: number;
  readonly repetition: number;
  readonly childCount: number;
  readonly annotation: Annotation;
}

const utf8 = new TextDecoder();
const NONE: Annotation = { kind: 'none' };

function readSchemaElement(reader: ThriftReader): SchemaElement {
  let type: number | undefined;
  let typeLength = 0;
  let repetition = 0;
  let name = '';
  let childCount = 0;
  let converted: number | undefined;
  let scale = 0;
  let precision = 0;
  let logical: Annotation | undefined;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id === 1) type = reader.integer();
    else if (id === 2) typeLength = reader.size('a type length');
    else if (id === 3) repetition = reader.integer();
    else if (id === 4) name = utf8.decode(reader.binary());
    else if (id === 5) childCount = reader.size('a number of children');
    else if (id === 6) converted = reader.integer();
    else if (id === 7) scale = reader.integer();
    else if (id === 8) precision = reader.integer();
    else if (id === 10) logical = readLogicalType(reader);
    else reader.skip();
  }
  const annotation = logical ?? (converted === undefined ? NONE : fromConvertedType(converted, precision, scale));
  return { name, type, typeLength, repetition, childCount, annotation };
}

/** The union LogicalType; members from the future come out as `none`: the physical type is read instead. */
function readLogicalType(reader: ThriftReader): Annotation {
  reader.struct();
  let annotation: Annotation = NONE;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    switch (id) {
      case 5:
        annotation = readDecimal(reader);
        break;
      case 7:
        annotation = readTime(reader, 'time');
        break;
      case 8:
        annotation = readTime(reader, 'timestamp');
        break;
      case 10:
        annotation = readInteger(reader);
        break;
      default:
        annotation = PLAIN_LOGICAL_TYPES[id] ?? NONE;
        reader.skip();
    }
  }
  return annotation;
}

const PLAIN_LOGICAL_TYPES: Readonly<Record<number, Annotation>> = {
  1: { kind: 'string' },
  2: { kind: 'map' },
  3: { kind: 'list' },
  4: { kind: 'enum' },
  6: { kind: 'date' },
  11: { kind: 'unknown' },
  12: { kind: 'json' },
  13: { kind: 'bson' },
  14: { kind: 'uuid' },
  15: { kind: 'float16' },
  16: { kind: 'variant' },
  17: { kind: 'geometry' },
  18: { kind: 'geometry' },
};

function readDecimal(reader: ThriftReader): Annotation {
  reader.struct();
  let scale = 0;
  let precision = 0;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id === 1) scale = reader.integer();
    else if (id === 2) precision = reader.integer();
    else reader.skip();
  }
  return { kind: 'decimal', precision, scale };
}

function readTime(reader: ThriftReader, kind: 'time' | 'timestamp'): Annotation {
  reader.struct();
  let utc = false;
  let unit: 'ms' | 'us' | 'ns' | undefined;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id === 1) utc = reader.boolean();
    else if (id === 2) unit = readTimeUnit(reader);
    else reader.skip();
  }
  return unit === undefined ? NONE : { kind, unit, utc };
}

function readTimeUnit(reader: ThriftReader): 'ms' | 'us' | 'ns' | undefined {
  reader.struct();
  let unit: 'ms' | 'us' | 'ns' | undefined;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    unit = ({ 1: 'ms', 2: 'us', 3: 'ns' } as const)[id];
    reader.skip();
  }
  return unit;
}

function readInteger(reader: ThriftReader): Annotation {
  reader.struct();
  let bits = 0;
  let signed = true;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id === 1) bits = reader.integer();
    else if (id === 2) signed = reader.boolean();
    else reader.skip();
  }
  return { kind: 'integer', bits, signed };
}

function fromConvertedType(converted: number, precision: number, scale: number): Annotation {
  switch (converted) {
    case 0:
      return { kind: 'string' };
    case 1:
    case 2:
      return { kind: 'map' };
    case 3:
      return { kind: 'list' };
    case 4:
      return { kind: 'enum' };
    case 5:
      return { kind: 'decimal', precision, scale };
    case 6:
      return { kind: 'date' };
    case 7:
      return { kind: 'time', unit: 'ms', utc: true };
    case 8:
      return { kind: 'time', unit: 'us', utc: true };
    case 9:
      return { kind: 'timestamp', unit: 'ms', utc: true };
    case 10:
      return { kind: 'timestamp', unit: 'us', utc: true };
    case 11:
    case 12:
    case 13:
    case 14:
      return { kind: 'integer', bits: 8 << (converted - 11), signed: false };
    case 15:
    case 16:
    case 17:
    case 18:
      return { kind: 'integer', bits: 8 << (converted - 15), signed: true };
    case 19:
      return { kind: 'json' };
    case 20:
      return { kind: 'bson' };
    case 21:
      return { kind: 'interval' };
    default:
      return NONE;
  }
}

/** Reads the list of schema elements that the current field is. */
export function readSchemaElements(reader: ThriftReader): SchemaElement[] {
  const count = reader.list(THRIFT.STRUCT);
  if (count === 0) throw new ThriftError('a schema without a root');
  const elements: SchemaElement[] = [];
  for (let i = 0; i < count; i++) elements.push(readSchemaElement(reader));
  return elements;
}
