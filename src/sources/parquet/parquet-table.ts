import { quoted } from '../files/data-error.js';
import { DistqError } from '../../base/errors.js';
import { pace } from '../../base/time-slice.js';
import type { ScanRequest, TableProvider } from '../../catalog/data-source.js';
import type { PartitionedFile } from '../../catalog/file-scan.js';
import { type Statistics, unknownStatistics } from '../../catalog/statistics.js';
import {
  BINARY,
  type DataType,
  type Field,
  isString,
  typeName,
  typesEqual,
  UTF8,
  UTF8_VIEW,
} from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import type { SessionConfig } from '../../config/session-config.js';
import { compareByBytes, listFiles } from '../files/list-files.js';
import { OpenFile } from '../files/open-file.js';
import { scanOfFiles } from '../files/scan-of-files.js';

import { FooterBounds } from './footer-bounds.js';
import { readFooter } from './footer-reader.js';
import { type ParquetOptions, parquetOptions } from './parquet-options.js';
import type { ParquetSchema } from './parquet-schema.js';
import { ParquetSource } from './parquet-source.js';
import { TableStatisticsBuilder } from './table-statistics.js';

/** Footers read at a time when a table is opened. */
const FOOTERS_AT_ONCE = 32;

/** A table stored as Parquet files with one schema. */
export class ParquetTable implements TableProvider {
  readonly schema: Schema;
  readonly viewSql: null = null;
  /** By path bytes. */
  readonly files: readonly PartitionedFile[];
  readonly #statistics: Statistics;
  /** Rows of each file; empty where statistics are not collected. */
  readonly #fileRows: Float64Array;
  readonly #fileBounds: FooterBounds;
  readonly #options: ParquetOptions;

  private constructor(
    schema: Schema,
    files: readonly PartitionedFile[],
    statistics: Statistics,
    fileRows: Float64Array,
    fileBounds: FooterBounds,
    options: ParquetOptions,
  ) {
    this.schema = schema;
    this.files = files;
    this.#statistics = statistics;
    this.#fileRows = fileRows;
    this.#fileBounds = fileBounds;
    this.#options = options;
  }

  /**
   * Opens a directory, a file or a pattern (see `listFiles`) and reads all footers. What is missing, no Parquet, or of another schema
   * than the first file is a `data_source` error. `known`, a table of the same path, is given back when its files are still the same.
   */
  static async open(path: string, config: SessionConfig, known?: ParquetTable): Promise<ParquetTable> {
    const files = await listFiles(path, '.parquet');
    if (known !== undefined && areSame(files, known.files)) return known;
    return await ParquetTable.#over(files, config);
  }

  /** The table of these files, whatever stands beside them; errors as of `open`. */
  static async ofFiles(paths: readonly string[], config: SessionConfig): Promise<ParquetTable> {
    const files = await Promise.all(paths.map((path) => listFiles(path, '.parquet')));
    return await ParquetTable.#over(
      files.flat().sort((a, b) => compareByBytes(a.path, b.path)),
      config,
    );
  }

  static async #over(files: readonly PartitionedFile[], config: SessionConfig): Promise<ParquetTable> {
    const collect = config.get('execution.collect_statistics');
    const first = await ParquetTable.#footer(files[0]!);
    const merger = new SchemaMerger(first.schema, files[0]!.path);
    const fileRows = new Float64Array(collect ? files.length : 0);
    const statistics = new TableStatisticsBuilder(withViewTypes(first.schema.schema, config));
    const fileBounds = new FooterBounds();
    // In the order of the files: merged figures depend on it, and plans on them.
    for (let start = 0; start < files.length; start += FOOTERS_AT_ONCE) {
      const batch = files.slice(start, start + FOOTERS_AT_ONCE);
      const footers = await Promise.all(batch.map((file) => ParquetTable.#footer(file)));
      for (const [offset, footer] of footers.entries()) {
        const leaves = merger.add(footer.schema, batch[offset]!.path);
        if (!collect) continue;
        fileRows[start + offset] = footer.numRows;
        statistics.add(footer, leaves);
        fileBounds.add(batch[offset]!.path, footer, leaves);
      }
      await pace();
    }
    const schema = withViewTypes(merger.schema(), config);
    const figures = collect ? statistics.result() : unknownStatistics(schema.length);
    return new ParquetTable(schema, files, figures, fileRows, fileBounds.finish(schema), parquetOptions(config));
  }

  static async #footer(file: PartitionedFile): ReturnType<typeof readFooter> {
    const open = await OpenFile.open(file.path);
    try {
      open.expect(file);
      return await readFooter(open);
    } finally {
      open.close();
    }
  }

  statistics(): Statistics {
    return this.#statistics;
  }

  scan(request: ScanRequest): ParquetSource {
    const { schema, files } = this;
    const table = { schema, files, fileRows: this.#fileRows, statistics: this.#statistics };
    const scan = { ...scanOfFiles(table, 'parquet', request), fileBounds: this.#fileBounds };
    return new ParquetSource(scan, this.#options);
  }
}

function areSame(files: readonly PartitionedFile[], known: readonly PartitionedFile[]): boolean {
  return (
    files.length === known.length &&
    files.every(({ path, size, modifiedMs }, index) => {
      const other = known[index]!;
      return path === other.path && size === other.size && modifiedMs === other.modifiedMs;
    })
  );
}

/** The types the planner sees: strings and binaries as views unless the settings say otherwise. */
function withViewTypes(schema: Schema, config: SessionConfig): Schema {
  const asString = config.get('execution.parquet.binary_as_string');
  const asView = config.get('execution.parquet.schema_force_view_types');
  if (asView && !asString) return schema;
  const adapt = (type: DataType): DataType => {
    if (type.kind === 'BinaryView') return asString ? (asView ? UTF8_VIEW : UTF8) : asView ? type : BINARY;
    return isString(type) && !asView ? UTF8 : type;
  };
  return new Schema(schema.fields.map((field) => ({ ...field, type: adapt(field.type) })));
}

/** Checks that the files of a table have the same columns; only their order and nullability may differ. */
class SchemaMerger {
  readonly #first: ParquetSchema;
  readonly #firstPath: string;
  readonly #nullable: boolean[];
  /** Leaf per column of the table, for schemas seen before. */
  readonly #known = new Map<ParquetSchema, readonly number[]>();

  constructor(first: ParquetSchema, path: string) {
    this.#first = first;
    this.#firstPath = path;
    this.#nullable = first.schema.fields.map((field) => field.nullable);
    const seen = new Set<string>();
    for (const { name } of first.schema.fields) {
      if (seen.has(name)) throw new DistqError('data_source', `${path} has two columns named ${quoted(name)}`);
      seen.add(name);
    }
  }

  /** The file's leaf for each column of the table. */
  add(other: ParquetSchema, path: string): readonly number[] {
    const known = this.#known.get(other);
    if (known !== undefined) return known;
    const leaves = this.#first.schema.fields.map((field, index) => {
      const position = other === this.#first ? index : other.schema.indexOf(field.name);
      if (position < 0) throw conflict(`column ${quoted(field.name)} is in ${this.#firstPath} and not in ${path}`);
      const theirs = other.schema.field(position);
      if (!typesEqual(field.type, theirs.type)) {
        const [here, there] = [typeName(field.type), typeName(theirs.type)];
        throw conflict(`column ${quoted(field.name)} is ${here} in ${this.#firstPath} and ${there} in ${path}`);
      }
      this.#nullable[index] ||= theirs.nullable;
      return other.columns[position]!.leaf;
    });
    const extra = other.schema.fields.find(({ name }) => this.#first.schema.indexOf(name) < 0);
    if (extra !== undefined) throw conflict(`column ${quoted(extra.name)} is in ${path} and not in ${this.#firstPath}`);
    this.#known.set(other, leaves);
    return leaves;
  }

  schema(): Schema {
    const fields = this.#first.schema.fields;
    return new Schema(fields.map((field, index): Field => ({ ...field, nullable: this.#nullable[index]! })));
  }
}

function conflict(what: string): DistqError {
  return new DistqError('data_source', `the files of one table differ: ${what}`, {
    hint: 'schemas that change between files are not supported yet',
  });
}
