import { quoted } from '../files/data-error.js';
import {
  BINARY,
  BINARY_VIEW,
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  type Field,
  FLOAT32,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  INT8,
  INTERVAL,
  NULL,
  timestamp,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  UTF8,
  UTF8_VIEW,
} from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import { PHYSICAL_TYPES, type PhysicalType, REPETITION } from './format.js';
import type { SchemaElement } from './schema-element.js';
import { ThriftError } from './thrift-reader.js';

/** A leaf of the schema tree: what a column chunk holds. Leaves are numbered in the order of the chunks of a row group. */
export interface ParquetLeaf {
  /** Dotted path from the root. */
  readonly path: string;
  readonly physicalType: PhysicalType;
  /** Bytes of a FIXED_LEN_BYTE_ARRAY, else 0. */
  readonly typeLength: number;
  readonly maxDefinitionLevel: number;
  readonly maxRepetitionLevel: number;
}

/** A column of the table, as this file stores it. */
export interface ParquetColumn {
  /** Strings as Utf8View, binaries as BinaryView. */
  readonly field: Field;
  /** The leaf with its values; -1 for nested columns (list, struct, map), which the reader does not read yet. */
  readonly leaf: number;
}

/** A file's schema as columns. One object is shared by all files whose footers say the same. */
export interface ParquetSchema {
  readonly schema: Schema;
  /** One per field of `schema`. */
  readonly columns: readonly ParquetColumn[];
  readonly leaves: readonly ParquetLeaf[];
}

const MAX_DEPTH = 64;

interface Node {
  readonly element: SchemaElement;
  readonly children: readonly Node[];
  /** Index among the leaves; -1 for groups. */
  readonly leaf: number;
}

/** Rebuilds the tree from its flattened elements and maps it to Arrow types as arrow-rs does (view types for strings and binaries). */
export function buildParquetSchema(elements: readonly SchemaElement[]): ParquetSchema {
  const leaves: ParquetLeaf[] = [];
  let next = 0;

  function build(depth: number, path: string, definition: number, repetition: number): Node {
    const element = elements[next];
    if (element === undefined) throw new ThriftError('a schema group with fewer children than it says');
    if (depth > MAX_DEPTH) throw new ThriftError(`a schema nested more than ${MAX_DEPTH} deep`);
    next++;
    const isRoot = depth === 0;
    if (!isRoot && element.repetition !== REPETITION.REQUIRED) definition++;
    if (!isRoot && element.repetition === REPETITION.REPEATED) repetition++;
    const ownPath = isRoot ? '' : path === '' ? element.name : `${path}.${element.name}`;
    if (element.type === undefined || element.childCount > 0 || isRoot) {
      if (element.childCount > elements.length - next) {
        throw new ThriftError('a schema group with fewer children than it says');
      }
      const children: Node[] = [];
      for (let i = 0; i < element.childCount; i++) children.push(build(depth + 1, ownPath, definition, repetition));
      return { element, children, leaf: -1 };
    }
    const physicalType = PHYSICAL_TYPES[element.type];
    if (physicalType === undefined) {
      throw new ThriftError(`an unknown physical type ${element.type} of column ${quoted(ownPath)}`);
    }
    leaves.push({
      path: ownPath,
      physicalType,
      typeLength: physicalType === 'FIXED_LEN_BYTE_ARRAY' ? element.typeLength : 0,
      maxDefinitionLevel: definition,
      maxRepetitionLevel: repetition,
    });
    return { element, children: [], leaf: leaves.length - 1 };
  }

  const root = build(0, '', 0, 0);
  if (next < elements.length) throw new ThriftError('schema elements that no group owns');
  const columns = root.children.map((node): ParquetColumn => {
    const flat = node.leaf >= 0 && node.element.repetition !== REPETITION.REPEATED;
    if (!flat) return { field: nodeField(node, leaves), leaf: -1 };
    const { name, repetition } = node.element;
    const type = viewType(leafType(node.element, leaves[node.leaf]!));
    return { field: { name, type, nullable: repetition === REPETITION.OPTIONAL }, leaf: node.leaf };
  });
  return { schema: new Schema(columns.map((column) => column.field)), columns, leaves };
}

/** The Arrow field of a node; a repeated one without a LIST around it is a list of non-null elements. */
function nodeField(node: Node, leaves: readonly ParquetLeaf[]): Field {
  const { name, repetition } = node.element;
  if (repetition === REPETITION.REPEATED) {
    const element: Field = { name, type: nodeType(node, leaves), nullable: false };
    return { name, type: { kind: 'List', element }, nullable: false };
  }
  return { name, type: nodeType(node, leaves), nullable: repetition === REPETITION.OPTIONAL };
}

/** The type of a node, its own repetition aside. */
function nodeType(node: Node, leaves: readonly ParquetLeaf[]): DataType {
  if (node.leaf >= 0) return leafType(node.element, leaves[node.leaf]!);
  const { annotation } = node.element;
  if (annotation.kind === 'list') return listType(node, leaves) ?? structType(node, leaves);
  if (annotation.kind === 'map') return mapType(node, leaves) ?? listType(node, leaves) ?? structType(node, leaves);
  return structType(node, leaves);
}

function structType(node: Node, leaves: readonly ParquetLeaf[]): DataType {
  return { kind: 'Struct', fields: node.children.map((child) => nodeField(child, leaves)) };
}

/** The three-level form and the older two-level ones, told apart by the format's backward-compatibility rules. */
function listType(node: Node, leaves: readonly ParquetLeaf[]): DataType | undefined {
  const repeated = node.children.length === 1 ? node.children[0]! : undefined;
  if (repeated?.element.repetition !== REPETITION.REPEATED) return undefined;
  const { name } = repeated.element;
  const isElement =
    repeated.leaf >= 0 || repeated.children.length !== 1 || name === 'array' || name === `${node.element.name}_tuple`;
  const element: Field = isElement
    ? { name, type: nodeType(repeated, leaves), nullable: false }
    : nodeField(repeated.children[0]!, leaves);
  return { kind: 'List', element };
}

function mapType(node: Node, leaves: readonly ParquetLeaf[]): DataType | undefined {
  const entries = node.children.length === 1 ? node.children[0]! : undefined;
  if (entries?.element.repetition !== REPETITION.REPEATED || entries.children.length !== 2) return undefined;
  const key = nodeField(entries.children[0]!, leaves);
  return { kind: 'Map', key: { ...key, nullable: false }, value: nodeField(entries.children[1]!, leaves) };
}

/** DataFusion forces views on columns, and leaves what lists and structs hold alone. */
function viewType(type: DataType): DataType {
  if (type.kind === 'Utf8') return UTF8_VIEW;
  return type.kind === 'Binary' ? BINARY_VIEW : type;
}

/** Annotations that do not fit the physical type are no reason to refuse a file: the physical type is read instead. */
function leafType({ annotation }: SchemaElement, leaf: ParquetLeaf): DataType {
  if (annotation.kind === 'unknown') return NULL;
  const { physicalType, typeLength } = leaf;
  if (physicalType === 'FIXED_LEN_BYTE_ARRAY' && typeLength === 0) {
    throw new ThriftError(`a fixed length of 0 bytes of column ${quoted(leaf.path)}`);
  }
  if (annotation.kind === 'decimal' && DECIMAL_TYPES.has(physicalType)) {
    return decimalType(annotation.precision, annotation.scale, leaf);
  }
  switch (physicalType) {
    case 'BOOLEAN':
      return BOOLEAN;
    case 'INT32':
      if (annotation.kind === 'integer') return integerType(annotation.bits, annotation.signed) ?? INT32;
      if (annotation.kind === 'date') return DATE32;
      return annotation.kind === 'time' && annotation.unit === 'ms' ? { kind: 'Time32', unit: 'ms' } : INT32;
    case 'INT64':
      if (annotation.kind === 'integer') return annotation.bits === 64 && !annotation.signed ? UINT64 : INT64;
      if (annotation.kind === 'timestamp') return timestamp(annotation.unit, annotation.utc ? 'UTC' : null);
      return annotation.kind === 'time' && annotation.unit !== 'ms' ? { kind: 'Time64', unit: annotation.unit } : INT64;
    case 'INT96':
      return timestamp('ns');
    case 'FLOAT':
      return FLOAT32;
    case 'DOUBLE':
      return FLOAT64;
    case 'BYTE_ARRAY':
      return annotation.kind === 'string' || annotation.kind === 'json' ? UTF8 : BINARY;
    case 'FIXED_LEN_BYTE_ARRAY':
      // There is no half type in the engine: its values are exact as Float32.
      if (annotation.kind === 'float16' && typeLength === 2) return FLOAT32;
      return annotation.kind === 'interval' && typeLength === 12
        ? INTERVAL
        : { kind: 'FixedSizeBinary', size: typeLength };
  }
}

const DECIMAL_TYPES: ReadonlySet<PhysicalType> = new Set<PhysicalType>([
  'INT32',
  'INT64',
  'BYTE_ARRAY',
  'FIXED_LEN_BYTE_ARRAY',
]);

function integerType(bits: number, signed: boolean): DataType | undefined {
  switch (bits) {
    case 8:
      return signed ? INT8 : UINT8;
    case 16:
      return signed ? INT16 : UINT16;
    case 32:
      return signed ? INT32 : UINT32;
    default:
      return undefined;
  }
}

function decimalType(precision: number, scale: number, leaf: ParquetLeaf): DataType {
  if (precision < 1 || scale > precision) {
    throw new ThriftError(
      `a decimal of ${precision} digits, ${scale} of them after the point, of column ${quoted(leaf.path)}`,
    );
  }
  if (precision > 38 || scale < 0) {
    throw new UnsupportedColumn(`DECIMAL(${precision}, ${scale})`, leaf.path);
  }
  return decimal(precision, scale);
}

/** A column that is legal Parquet and has no type in distq; the caller, who knows the file, makes it `not_implemented`. */
export class UnsupportedColumn extends Error {
  readonly typeText: string;
  readonly column: string;

  constructor(typeText: string, column: string) {
    super(`column ${quoted(column)} of type ${typeText}`);
    this.typeText = typeText;
    this.column = column;
  }
}
