import { quoted } from '../files/data-error.js';
import { ChunkTable, FIELD, FLAG, NO_VALUE } from './chunk-table.js';
import { PHYSICAL_TYPES } from './format.js';
import { buildParquetSchema, type ParquetSchema } from './parquet-schema.js';
import { readSchemaElements } from './schema-element.js';
import { THRIFT, ThriftError, ThriftReader } from './thrift-reader.js';

/** Where bytes lie in a file; `length` is 0 where a footer gives only the offset. */
export interface FileSection {
  readonly offset: number;
  readonly length: number;
}

/** One column's part of one row group, made on demand from the footer's tables. */
export interface ColumnChunk {
  /** Index into CODECS; unknown numbers as stored. */
  readonly codec: number;
  readonly valueCount: number;
  /** First byte of the chunk: its dictionary page, else its first data page. */
  readonly start: number;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
  readonly encrypted: boolean;
  /** The chunk lies in another file (a feature nobody writes). */
  readonly external: boolean;
  readonly columnIndex: FileSection | null;
  readonly offsetIndex: FileSection | null;
  readonly bloomFilter: FileSection | null;
}

/** Statistics of a column chunk as stored: bounds are the bytes of a PLAIN value, views into the footer. */
export interface StoredStatistics {
  readonly nullCount: number | null;
  readonly distinctCount: number | null;
  readonly min: Uint8Array | null;
  readonly max: Uint8Array | null;
  readonly minExact: boolean;
  readonly maxExact: boolean;
  /** From the deprecated fields, whose order is that of signed values whatever the type. */
  readonly legacy: boolean;
}

/**
 * What a file's footer says. Row groups and column chunks are kept as tables of numbers (no object per chunk), and bounds stay in
 * the footer's own bytes: a file with thousands of chunks costs little more than its footer.
 */
export class ParquetFooter {
  readonly schema: ParquetSchema;
  readonly createdBy: string;
  /** Bytes this object keeps, roughly: for the bounded cache. */
  readonly heldBytes: number;
  readonly #bytes: Uint8Array;
  readonly #rows: Float64Array;
  readonly #chunks: ChunkTable;

  constructor(schema: ParquetSchema, createdBy: string, bytes: Uint8Array, rows: Float64Array, chunks: ChunkTable) {
    this.schema = schema;
    this.createdBy = createdBy;
    this.#bytes = bytes;
    this.#rows = rows;
    this.#chunks = chunks;
    this.heldBytes = bytes.length + rows.byteLength + chunks.byteLength + 1500;
  }

  get rowGroupCount(): number {
    return this.#rows.length;
  }

  /** Rows of a row group. */
  rows(rowGroup: number): number {
    return this.#rows[rowGroup]!;
  }

  /** Rows of the file, as the sum over its row groups. */
  get numRows(): number {
    return this.#rows.reduce((sum, rows) => sum + rows, 0);
  }

  chunk(rowGroup: number, leaf: number): ColumnChunk {
    const t = this.#chunks;
    const at = rowGroup * this.schema.leaves.length + leaf;
    const dictionary = t.get(at, FIELD.DICTIONARY_OFFSET);
    const data = t.get(at, FIELD.DATA_OFFSET);
    return {
      codec: t.get(at, FIELD.CODEC),
      valueCount: t.get(at, FIELD.VALUE_COUNT),
      // Old writers store 0 for "no dictionary".
      start: dictionary > 0 && dictionary < data ? dictionary : data,
      compressedBytes: t.get(at, FIELD.COMPRESSED_BYTES),
      uncompressedBytes: t.get(at, FIELD.UNCOMPRESSED_BYTES),
      encrypted: (t.get(at, FIELD.FLAGS) & FLAG.ENCRYPTED) !== 0,
      external: (t.get(at, FIELD.FLAGS) & FLAG.EXTERNAL) !== 0,
      columnIndex: section(t.get(at, FIELD.COLUMN_INDEX_OFFSET), t.get(at, FIELD.COLUMN_INDEX_LENGTH)),
      offsetIndex: section(t.get(at, FIELD.OFFSET_INDEX_OFFSET), t.get(at, FIELD.OFFSET_INDEX_LENGTH)),
      bloomFilter: section(t.get(at, FIELD.BLOOM_OFFSET), t.get(at, FIELD.BLOOM_LENGTH)),
    };
  }

  /** Uncompressed bytes of a chunk, as its writer counted them. */
  uncompressedBytes(rowGroup: number, leaf: number): number {
    return this.#chunks.get(rowGroup * this.schema.leaves.length + leaf, FIELD.UNCOMPRESSED_BYTES);
  }

  statistics(rowGroup: number, leaf: number): StoredStatistics {
    const t = this.#chunks;
    const at = rowGroup * this.schema.leaves.length + leaf;
    const flags = t.get(at, FIELD.FLAGS);
    const bound = (start: number, length: number): Uint8Array | null =>
      start === NO_VALUE ? null : this.#bytes.subarray(start, start + length);
    return {
      nullCount: t.get(at, FIELD.NULL_COUNT) < 0 ? null : t.get(at, FIELD.NULL_COUNT),
      distinctCount: t.get(at, FIELD.DISTINCT_COUNT) < 0 ? null : t.get(at, FIELD.DISTINCT_COUNT),
      min: bound(t.get(at, FIELD.MIN_START), t.get(at, FIELD.MIN_LENGTH)),
      max: bound(t.get(at, FIELD.MAX_START), t.get(at, FIELD.MAX_LENGTH)),
      minExact: (flags & FLAG.MIN_INEXACT) === 0,
      maxExact: (flags & FLAG.MAX_INEXACT) === 0,
      legacy: (flags & FLAG.LEGACY) !== 0,
    };
  }

  /** The byte that decides which byte range a row group belongs to: where its first column begins; 0 without columns. */
  rowGroupStart(rowGroup: number): number {
    return this.schema.leaves.length === 0 ? 0 : this.chunk(rowGroup, 0).start;
  }
}

function section(offset: number, length: number): FileSection | null {
  return offset > 0 ? { offset, length } : null;
}

/** Finds a schema equal to one seen before, by the footer's own bytes: files of one table share one object. */
export interface SchemaCache {
  get(bytes: Uint8Array): ParquetSchema | undefined;
  add(bytes: Uint8Array, schema: ParquetSchema): void;
}

const latin1 = new TextDecoder('latin1');

/** Parses FileMetaData. ThriftError says what does not fit; the caller names the file. */
export function parseFooter(bytes: Uint8Array, schemas?: SchemaCache): ParquetFooter {
  const reader = new ThriftReader(bytes);
  let schema: ParquetSchema | undefined;
  let createdBy = '';
  let rows: Float64Array | undefined;
  let chunks: ChunkTable | undefined;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id === 2) {
      schema = parseSchema(reader, bytes, schemas);
    } else if (id === 4) {
      if (schema === undefined) throw new ThriftError('row groups before the schema');
      const count = reader.list(THRIFT.STRUCT);
      const leafCount = schema.leaves.length;
      // A chunk takes more than a byte, which bounds the tables by the footer's size.
      if (count * leafCount > bytes.length) throw new ThriftError(`${count} row groups of ${leafCount} columns`);
      rows = new Float64Array(count);
      chunks = new ChunkTable(count * leafCount);
      for (let i = 0; i < count; i++) rows[i] = parseRowGroup(reader, schema, chunks, i);
    } else if (id === 6) {
      createdBy = latin1.decode(reader.binary());
    } else {
      reader.skip();
    }
  }
  if (schema === undefined) throw new ThriftError('no schema');
  if (rows === undefined || chunks === undefined) throw new ThriftError('no list of row groups');
  return new ParquetFooter(schema, createdBy, bytes, rows, chunks);
}

function parseSchema(reader: ThriftReader, bytes: Uint8Array, schemas: SchemaCache | undefined): ParquetSchema {
  const start = reader.position;
  if (schemas === undefined) return buildParquetSchema(readSchemaElements(reader));
  const elements = readSchemaElements(reader);
  const section = bytes.subarray(start, reader.position);
  const seen = schemas.get(section);
  if (seen !== undefined) return seen;
  const schema = buildParquetSchema(elements);
  schemas.add(section, schema);
  return schema;
}

/** Reads one row group into the table; gives its rows. */
function parseRowGroup(reader: ThriftReader, schema: ParquetSchema, chunks: ChunkTable, rowGroup: number): number {
  let rows = -1;
  let columns = -1;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id === 1) {
      columns = reader.list(THRIFT.STRUCT);
      if (columns !== schema.leaves.length) {
        throw new ThriftError(
          `${columns} column chunks in row group ${rowGroup} where the schema has ${schema.leaves.length} columns`,
        );
      }
      for (let leaf = 0; leaf < columns; leaf++) parseChunk(reader, schema, chunks, rowGroup, leaf);
    } else if (id === 3) {
      rows = reader.size('a row count');
    } else {
      reader.skip();
    }
  }
  if (rows < 0) throw new ThriftError(`no row count in row group ${rowGroup}`);
  if (columns < 0 && schema.leaves.length > 0) throw new ThriftError(`no column chunks in row group ${rowGroup}`);
  return rows;
}

function parseChunk(reader: ThriftReader, schema: ParquetSchema, t: ChunkTable, rowGroup: number, leaf: number): void {
  const at = rowGroup * schema.leaves.length + leaf;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    switch (id) {
      case 1:
        if (reader.binary().length > 0) t.flag(at, FLAG.EXTERNAL);
        break;
      case 3:
        reader.struct();
        parseChunkMetaData(reader, schema, t, at, leaf);
        t.flag(at, FLAG.PRESENT);
        break;
      case 4:
        t.set(at, FIELD.OFFSET_INDEX_OFFSET, reader.size('an offset'));
        break;
      case 5:
        t.set(at, FIELD.OFFSET_INDEX_LENGTH, reader.size('a length'));
        break;
      case 6:
        t.set(at, FIELD.COLUMN_INDEX_OFFSET, reader.size('an offset'));
        break;
      case 7:
        t.set(at, FIELD.COLUMN_INDEX_LENGTH, reader.size('a length'));
        break;
      case 8:
        t.flag(at, FLAG.ENCRYPTED);
        reader.skip();
        break;
      default:
        reader.skip();
    }
  }
  if ((t.get(at, FIELD.FLAGS) & (FLAG.PRESENT | FLAG.ENCRYPTED)) === 0) {
    throw new ThriftError(`no metadata of column ${quoted(schema.leaves[leaf]!.path)} in row group ${rowGroup}`);
  }
}

function parseChunkMetaData(
  reader: ThriftReader,
  schema: ParquetSchema,
  t: ChunkTable,
  at: number,
  leaf: number,
): void {
  let seen = 0;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    if (id < 16) seen |= 1 << id;
    switch (id) {
      case 1: {
        const type = reader.integer();
        const { physicalType, path } = schema.leaves[leaf]!;
        if (PHYSICAL_TYPES[type] !== physicalType) {
          throw new ThriftError(`a chunk of physical type ${type} in column ${quoted(path)}, which is ${physicalType}`);
        }
        break;
      }
      case 2: {
        const count = reader.list(THRIFT.I32);
        for (let i = 0; i < count; i++) reader.integer();
        break;
      }
      case 4:
        t.set(at, FIELD.CODEC, reader.integer());
        break;
      case 5:
        t.set(at, FIELD.VALUE_COUNT, reader.size('a value count'));
        break;
      case 6:
        t.set(at, FIELD.UNCOMPRESSED_BYTES, reader.size('a size'));
        break;
      case 7:
        t.set(at, FIELD.COMPRESSED_BYTES, reader.size('a size'));
        break;
      case 9:
        t.set(at, FIELD.DATA_OFFSET, reader.size('an offset'));
        break;
      case 11:
        t.set(at, FIELD.DICTIONARY_OFFSET, reader.size('an offset'));
        break;
      case 12:
        reader.struct();
        parseStatistics(reader, t, at);
        break;
      case 14:
        t.set(at, FIELD.BLOOM_OFFSET, reader.size('an offset'));
        break;
      case 15:
        t.set(at, FIELD.BLOOM_LENGTH, reader.size('a length'));
        break;
      default:
        reader.skip();
    }
  }
  const required = (1 << 4) | (1 << 5) | (1 << 7) | (1 << 9);
  if ((seen & required) !== required) {
    throw new ThriftError(`incomplete metadata of column ${quoted(schema.leaves[leaf]!.path)}`);
  }
}

function parseStatistics(reader: ThriftReader, t: ChunkTable, at: number): void {
  let legacyMin: Uint8Array | undefined;
  let legacyMax: Uint8Array | undefined;
  let min: Uint8Array | undefined;
  let max: Uint8Array | undefined;
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    switch (id) {
      case 1:
        legacyMax = reader.binary();
        break;
      case 2:
        legacyMin = reader.binary();
        break;
      case 3:
        t.set(at, FIELD.NULL_COUNT, reader.integer());
        break;
      case 4:
        t.set(at, FIELD.DISTINCT_COUNT, reader.integer());
        break;
      case 5:
        max = reader.binary();
        break;
      case 6:
        min = reader.binary();
        break;
      case 7:
        if (!reader.boolean()) t.flag(at, FLAG.MAX_INEXACT);
        break;
      case 8:
        if (!reader.boolean()) t.flag(at, FLAG.MIN_INEXACT);
        break;
      default:
        reader.skip();
    }
  }
  if (min === undefined && max === undefined && (legacyMin !== undefined || legacyMax !== undefined)) {
    t.flag(at, FLAG.LEGACY);
    min = legacyMin;
    max = legacyMax;
  }
  if (min !== undefined) {
    t.set(at, FIELD.MIN_START, min.byteOffset - reader.bytes.byteOffset);
    t.set(at, FIELD.MIN_LENGTH, min.length);
  }
  if (max !== undefined) {
    t.set(at, FIELD.MAX_START, max.byteOffset - reader.bytes.byteOffset);
    t.set(at, FIELD.MAX_LENGTH, max.length);
  }
}
