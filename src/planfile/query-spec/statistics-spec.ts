import { DistqError } from '../../base/errors.js';
import { parseByteSize } from '../../base/units.js';
import type { PartitionedFile } from '../../catalog/file-scan.js';
import {
  ABSENT,
  type ColumnStatistics,
  exact,
  inexact,
  type Precision,
  type Statistics,
} from '../../catalog/statistics.js';
import { BINARY_VIEW, type DataType, field, type Field, primitiveWidth, typeName } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import { scalar, type ScalarValue } from '../../columnar/scalar-value.js';
import type { SessionConfig } from '../../config/session-config.js';
import { parseTypeName } from '../../expr/parse-type.js';
import {
  parseBoolean,
  parseDate,
  parseDecimal,
  parseFloat64,
  parseInteger,
  parseTimestamp,
} from '../../expr/parse-value.js';
import type { StatisticsTableSpec } from '../../sources/statistics/statistics-table.js';
import { columnType } from '../../sql/binder/column-type.js';
import { binderOptions } from '../../sql/binder/options.js';
import { lex } from '../../sql/parser/lexer.js';
import { parseType } from '../../sql/parser/parse-query.js';
import {
  checkObject,
  count,
  documentError,
  flag,
  inPlace,
  items,
  optionalField,
  type Place,
  requiredField,
  text,
} from '../document/fields.js';

/** More files than this are no description of a table any more, and their list would not fit the heap. */
const MOST_FILES = 1_000_000;

/** A table that is described instead of stored: `{rows, files, columns}`. */
export function readStatisticsTable(name: string, place: Place, config: SessionConfig): StatisticsTableSpec {
  checkObject(place, ['rows', 'files', 'columns']);
  const files = readFiles(name, requiredField(place, 'files', '"files": { "count": 100, "size": "1GB" }'));
  const rowsPlace = optionalField(place, 'rows');
  const listed = files.rows === null ? undefined : files.rows.reduce((sum, rows) => sum + rows, 0);
  const rows = rowsPlace === undefined ? listed : count(rowsPlace);
  if (rowsPlace !== undefined && listed !== undefined && rows !== listed) {
    throw documentError(rowsPlace, `the files have ${listed} rows together`, 'leave "rows" out, or correct the files');
  }
  const columns = items(requiredField(place, 'columns', '"columns": [{ "name": "id", "type": "BIGINT" }]'));
  if (columns.length === 0) throw documentError(place, 'a table needs at least one column');
  const read = columns.map((column) => readColumn(column, rows, config));
  for (const [index, { field: own }] of read.entries()) {
    const column = columns[index];
    if (column !== undefined && read.findIndex((other) => other.field.name === own.name) < index) {
      throw documentError(column, `two columns are named "${own.name}"`);
    }
  }
  const schema = new Schema(read.map((column) => column.field));
  const statistics = tableStatistics(schema, read, rows, files.bytes);
  return new DescribedTable(name, schema, statistics, files);
}

/** Makes the list of files when the first query reads the table: a spec may describe many tables of many files. */
class DescribedTable implements StatisticsTableSpec {
  readonly name: string;
  readonly schema: Schema;
  readonly statistics: Statistics;
  readonly #described: SpecFiles;
  #files: readonly PartitionedFile[] | undefined;
  #fileRows: Float64Array | undefined;

  constructor(name: string, schema: Schema, statistics: Statistics, files: SpecFiles) {
    this.name = name;
    this.schema = schema;
    this.statistics = statistics;
    this.#described = files;
  }

  get files(): readonly PartitionedFile[] {
    return (this.#files ??= this.#described.list());
  }

  get fileRows(): Float64Array {
    return (this.#fileRows ??= perFile(this.files, this.#described, this.statistics));
  }
}

/** Rows of each file: as listed, else in proportion to the files' sizes. */
function perFile(
  files: readonly PartitionedFile[],
  { rows: listed, bytes }: SpecFiles,
  { numRows }: Statistics,
): Float64Array {
  if (listed !== null) return listed;
  if (numRows.kind === 'absent') return new Float64Array(0);
  const rows = new Float64Array(files.length);
  if (bytes > 0)
    for (const [index, { size }] of files.entries()) rows[index] = Math.floor((size / bytes) * numRows.value);
  return rows;
}

interface SpecFiles {
  /** Of all files. */
  readonly bytes: number;
  /** Of each file, where they are listed. */
  readonly rows: Float64Array | null;
  readonly list: () => readonly PartitionedFile[];
}

/** `{count, size}`, `{count, totalSize}`, or a list of `{size, path, rows}`. */
function readFiles(table: string, place: Place): SpecFiles {
  if (place.node.kind === 'list') return listedFiles(table, place);
  checkObject(place, ['count', 'size', 'totalSize']);
  const countPlace = requiredField(place, 'count', '"count": 100');
  const number = count(countPlace, 1);
  if (number > MOST_FILES) throw documentError(countPlace, `a table has at most ${MOST_FILES} files`);
  const each = optionalField(place, 'size');
  const all = optionalField(place, 'totalSize');
  const given = each ?? all;
  if (given === undefined || (each !== undefined && all !== undefined)) {
    throw documentError(place, 'give either "size" (of each file) or "totalSize"', 'for example "totalSize": "10TB"');
  }
  const size = byteSize(given);
  const total = each === undefined ? size : size * number;
  /** Bytes of the files before that one. */
  const before = (index: number): number => Math.floor((total * index) / number);
  const sizeOf = (index: number): number => (each === undefined ? before(index + 1) - before(index) : size);
  const list = (): readonly PartitionedFile[] =>
    Array.from({ length: number }, (_, index) => {
      return { path: filePath(table, index), size: sizeOf(index), modifiedMs: 0, range: null };
    });
  return { bytes: total, rows: null, list };
}

function filePath(table: string, index: number): string {
  return `${table}/part-${String(index).padStart(5, '0')}.parquet`;
}

function listedFiles(table: string, place: Place): SpecFiles {
  const written = items(place);
  if (written.length === 0) throw documentError(place, 'a table needs at least one file');
  if (written.length > MOST_FILES) throw documentError(place, `a table has at most ${MOST_FILES} files`);
  const rows = new Float64Array(written.length);
  let withRows = 0;
  const files = written.map((file, index): PartitionedFile => {
    checkObject(file, ['path', 'size', 'rows']);
    const path = optionalField(file, 'path');
    const own = optionalField(file, 'rows');
    if (own !== undefined) {
      rows[index] = count(own);
      withRows++;
    }
    return {
      path: path === undefined ? filePath(table, index) : text(path),
      size: byteSize(requiredField(file, 'size', '"size": "1GB"')),
      modifiedMs: 0,
      range: null,
    };
  });
  if (withRows > 0 && withRows < files.length) {
    throw documentError(place, 'some files have "rows" and some have not', 'give them for all files or for none');
  }
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  return { bytes, rows: withRows === 0 ? null : rows, list: () => files };
}

/** A number of bytes, or text with a unit. */
function byteSize(place: Place): number {
  if (place.node.kind !== 'string') return count(place);
  try {
    return parseByteSize(place.node.value, 'a size');
  } catch (error) {
    if (!(error instanceof DistqError)) throw error;
    throw documentError(place, `"${place.node.value}" is no size`, error.hint);
  }
}

interface SpecColumn {
  readonly field: Field;
  readonly statistics: ColumnStatistics;
}

function readColumn(place: Place, rows: number | undefined, config: SessionConfig): SpecColumn {
  checkObject(place, ['name', 'type', 'nullable', 'nullCount', 'distinctCount', 'min', 'max', 'byteSize']);
  const name = text(requiredField(place, 'name', '"name": "id"'));
  const type = readType(requiredField(place, 'type', '"type": "BIGINT"'), config);
  const nullable = optionalField(place, 'nullable');
  const nullCount = figure(place, 'nullCount', rows);
  if (nullable !== undefined && !flag(nullable) && nullCount.kind === 'exact' && nullCount.value > 0) {
    throw documentError(nullable, `column "${name}" cannot have nulls and has ${nullCount.value}`);
  }
  const bytes = optionalField(place, 'byteSize');
  return {
    field: field(name, type, nullable === undefined ? true : flag(nullable)),
    statistics: {
      nullCount: nullable !== undefined && !flag(nullable) ? exact(0) : nullCount,
      distinctCount: figure(place, 'distinctCount', rows),
      min: bound(place, 'min', type),
      max: bound(place, 'max', type),
      byteSize: bytes === undefined ? ABSENT : columnBytes(byteSize(bytes), type),
    },
  };
}

/** Bytes of a column without a fixed width are an estimate in Parquet files, too. */
function columnBytes(bytes: number, type: DataType): Precision<number> {
  return primitiveWidth(type) === undefined ? inexact(bytes) : exact(bytes);
}

function figure(place: Place, name: string, rows: number | undefined): Precision<number> {
  const found = optionalField(place, name);
  if (found === undefined) return ABSENT;
  const value = count(found);
  if (rows !== undefined && value > rows) throw documentError(found, `${value} is more than the table has rows`);
  return exact(value);
}

/** The name of an SQL type (`BIGINT`, `DECIMAL(15, 2)`) or of an Arrow type (`Int64`). */
function readType(place: Place, config: SessionConfig): DataType {
  const written = text(place);
  const known = parseTypeName(written);
  if (known !== undefined) return known;
  return inPlace(place, () => {
    const type = sqlType(written, config);
    // As in Parquet files.
    const asViews = config.get('execution.parquet.schema_force_view_types');
    return type.kind === 'Binary' && asViews ? BINARY_VIEW : type;
  });
}

function sqlType(written: string, config: SessionConfig): DataType {
  try {
    return columnType(parseType(written, lex(written)), binderOptions(config), null);
  } catch (error) {
    if (!(error instanceof DistqError)) throw error;
    throw error.with({ hint: 'give an SQL type such as DECIMAL(15, 2), or an Arrow type such as Int64' });
  }
}

function bound(place: Place, name: 'min' | 'max', type: DataType): Precision<ScalarValue> {
  const found = optionalField(place, name);
  if (found === undefined) return ABSENT;
  const { node } = found;
  const written =
    node.kind === 'string'
      ? node.value
      : node.kind === 'number'
        ? node.text
        : node.kind === 'boolean'
          ? String(node.value)
          : undefined;
  const value = written === undefined ? undefined : parseBound(written, type);
  if (value === undefined) throw documentError(found, `expected a ${typeName(type)}`, 'give it as a number or as text');
  return exact(scalar(type, value));
}

function parseBound(written: string, type: DataType): ScalarValue['value'] | undefined {
  switch (type.kind) {
    case 'Boolean':
      return parseBoolean(written);
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32': {
      const value = parseInteger(written);
      return value === undefined ? undefined : fitted(value, type.kind);
    }
    case 'Int64':
    case 'UInt64':
    case 'Date64':
    case 'Duration':
    case 'Time64':
      return parseInteger(written);
    case 'Time32':
      return Number(parseInteger(written));
    case 'Float32':
    case 'Float64':
      return parseFloat64(written);
    case 'Decimal128':
      return parseDecimal(written, type.scale);
    case 'Date32':
      return parseDate(written);
    case 'Timestamp':
      return parseTimestamp(written, type.unit);
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      return written;
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
    case 'Null':
    case 'Interval':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}

function fitted(value: bigint, kind: string): number | undefined {
  const bits = Number(/\d+$/.exec(kind)?.[0] ?? '32');
  const fits = kind.startsWith('U') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return fits === value ? Number(value) : undefined;
}

/**
 * The table's figures. What a footer would have told and nobody wrote is estimated: columns without a fixed width share the bytes of
 * the files that the others leave over, at least one a row.
 */
function tableStatistics(
  schema: Schema,
  columns: readonly SpecColumn[],
  rows: number | undefined,
  fileBytes: number,
): Statistics {
  const widths = schema.fields.map(({ type }) => primitiveWidth(type));
  const known = columns.map(({ statistics }, index): Precision<number> => {
    const width = widths[index];
    if (statistics.byteSize.kind !== 'absent') return statistics.byteSize;
    return width === undefined || rows === undefined ? ABSENT : exact(width * rows);
  });
  const open = known.filter(({ kind }) => kind === 'absent').length;
  const taken = known.reduce((sum, size) => sum + (size.kind === 'absent' ? 0 : size.value), 0);
  const share = Math.max(rows ?? 0, Math.floor(Math.max(0, fileBytes - taken) / Math.max(1, open)));
  const sizes = known.map((size) => (size.kind === 'absent' && rows !== undefined ? inexact(share) : size));
  return {
    numRows: rows === undefined ? ABSENT : exact(rows),
    // As of Parquet files: the table's bytes are not told, which decides what joins collect.
    totalByteSize: ABSENT,
    columns: columns.map(({ statistics: own }, index) => ({ ...own, byteSize: sizes[index] ?? ABSENT })),
  };
}
