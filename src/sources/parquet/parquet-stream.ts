import { DistqError, invariant, notImplemented } from '../../base/errors.js';
import type { ScanContext } from '../../catalog/data-source.js';
import type { PartitionedFile } from '../../catalog/file-scan.js';
import { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { type DataType, isNested, isString, typeName, typesEqual } from '../../columnar/data-type.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import type { KeptRows } from '../../columnar/rows/row-bound-filter.js';
import type { Schema } from '../../columnar/schema.js';
import type { ProjectionEvaluator } from '../../expr/evaluator.js';
import { columnIndices, remapByIndex } from '../../expr/physical-expr-transform.js';
import { BufferPool } from '../files/buffer-pool.js';
import { dataError, quoted } from '../files/data-error.js';
import { OpenFile } from '../files/open-file.js';
import { BoundRowFilter } from './bound-row-filter.js';
import { ColumnReader } from './column-reader.js';
import type { ParquetFooter } from './footer.js';
import { readFooter } from './footer-reader.js';
import { KeyRowFilter } from './key-row-filter.js';
import { NullColumnReader } from './null-column-reader.js';
import type { ParquetSchema } from './parquet-schema.js';
import type { ParquetSource } from './parquet-source.js';
import { RowGroupPruner } from './row-group-pruner.js';

/** The stream of one partition of a scan: the pieces its queue gives, row group by row group. */
export async function* readPartition(
  source: ParquetSource,
  partition: number,
  context: ScanContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const scan = new PartitionScan(source, context);
  try {
    while (scan.rowsWanted > 0) {
      const stolenBefore = context.queue.stolenCount;
      const piece = context.queue.next(partition);
      if (piece === undefined) return;
      if (context.queue.stolenCount > stolenBefore) context.metrics.add('files_stolen', 1);
      yield* scan.readPiece(piece);
    }
  } finally {
    scan.close();
  }
}

type AnyColumnReader = ColumnReader | NullColumnReader;

class PartitionScan {
  /** Rows that the limit still lets through. */
  rowsWanted: number;
  readonly #source: ParquetSource;
  readonly #context: ScanContext;
  readonly #pool: BufferPool;
  readonly #arena: Arena;
  readonly #pruner: RowGroupPruner;
  readonly #keyFilter: KeyRowFilter;
  readonly #boundFilter: BoundRowFilter;
  /** What the key filter remembers about the current row group. */
  readonly #flags: Arena;
  /** Table columns that are read, ascending, and their schema. */
  readonly #tableColumns: readonly number[];
  readonly #readSchema: Schema;
  /** Per output column its place among the read ones; null when the projection computes. */
  readonly #plainOutputs: readonly number[] | null;
  readonly #evaluator: ProjectionEvaluator | null;
  readonly #leavesBySchema = new Map<ParquetSchema, Int32Array>();
  readonly #scratch: number;
  #file: OpenFile | null = null;
  /** When the current file's opening began, until its first batch; then 0. */
  #untilData = 0;
  #columns: AnyColumnReader[] = [];

  constructor(source: ParquetSource, context: ScanContext) {
    const { projection, tableSchema, limit } = source.fileScan;
    this.#source = source;
    this.#context = context;
    this.rowsWanted = limit ?? Infinity;
    this.#pool = new BufferPool(context.memory);
    this.#arena = new Arena(context.memory);
    this.#pruner = new RowGroupPruner(source.fileScan, source.options, context);
    const exprs = projection.map(({ expr }) => expr);
    this.#tableColumns = columnIndices(exprs);
    this.#readSchema = tableSchema.project(this.#tableColumns);
    for (const field of this.#readSchema.fields) {
      if (isNested(field.type))
        throw notImplemented(`reading column ${quoted(field.name)} of type ${typeName(field.type)}`);
    }
    this.#scratch = this.#pool.take(16).address;
    const place = (index: number): number => this.#tableColumns.indexOf(index);
    this.#flags = new Arena(context.memory);
    this.#keyFilter = new KeyRowFilter(source.fileScan, context, place, this.#flags);
    this.#boundFilter = new BoundRowFilter(source.fileScan, context, place);
    if (exprs.every((expr) => expr.kind === 'column')) {
      this.#plainOutputs = exprs.map((expr) => place(expr.index));
      this.#evaluator = null;
    } else {
      this.#plainOutputs = null;
      const placed = exprs.map((expr) => {
        const mapped = remapByIndex(expr, place);
        invariant(mapped !== undefined, 'a scan computes from columns it does not read');
        return mapped;
      });
      this.#evaluator = context.compiler.projection(placed);
    }
  }

  async *readPiece(piece: PartitionedFile): AsyncGenerator<RecordBatch, void, undefined> {
    const { scope, metrics } = this.#context;
    const opening = performance.now();
    const file = await scope.wait(OpenFile.open(piece.path));
    this.#file = file;
    file.expect(piece);
    const footer = await scope.wait(readFooter(file));
    const leaves = this.#leaves(footer.schema, piece.path);
    const openingTime = nanosSince(opening);
    metrics.add('files_opened', 1);
    metrics.add('time_elapsed_opening', openingTime, 'time');
    metrics.add('metadata_load_time', openingTime, 'time');
    this.#untilData = opening;
    const rowGroups = await this.#rowGroups(footer, piece, leaves);
    try {
      if (rowGroups.length > 0) yield* this.#readRowGroups(file, footer, rowGroups, leaves);
    } catch (error) {
      // Bytes that make no sense because somebody is writing them are no damage.
      if (error instanceof DistqError && error.kind === 'data_source') file.verifyUnchanged(error);
      throw error;
    }
    file.verifyUnchanged();
    metrics.add('files_processed', 1);
    this.#closeFile();
  }

  async *#readRowGroups(
    file: OpenFile,
    footer: ParquetFooter,
    rowGroups: readonly number[],
    leaves: Int32Array,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const { metrics } = this.#context;
    this.#columns = this.#tableColumns.map((column) => this.#columnReader(file, footer, column, leaves));
    for (const rowGroup of rowGroups) {
      if (this.rowsWanted === 0) break;
      if (this.#keyFilter.refresh()) {
        metrics.add('row_groups_pruned_dynamic_filter', 1);
        continue;
      }
      // Dynamic filters may have tightened since the file was opened.
      if (this.#pruner.judgeAgain(footer, rowGroup, (column) => leaves[column]!) !== 'read') {
        metrics.add('row_groups_pruned_dynamic_filter', 1);
        continue;
      }
      yield* this.#readRowGroup(footer, rowGroup, leaves);
    }
  }

  async *#readRowGroup(
    footer: ParquetFooter,
    rowGroup: number,
    leaves: Int32Array,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const { batchSize, metrics } = this.#context;
    let left = footer.rows(rowGroup);
    for (const [position, column] of this.#columns.entries()) {
      column.start(rowGroup, footer.chunk(rowGroup, leaves[this.#tableColumns[position]!]!), left);
    }
    let started = performance.now();
    while (left > 0 && this.rowsWanted > 0) {
      this.#context.scope.throwIfCancelled();
      this.#arena.reset();
      for (const column of this.#columns) column.endBatch();
      const most = Math.min(batchSize, left, this.rowsWanted);
      const prepared = this.#prepare(most);
      let waited = 0;
      let rows: number;
      if (typeof prepared === 'number') {
        rows = prepared;
      } else {
        const waiting = performance.now();
        rows = await prepared;
        waited = nanosSince(waiting);
      }
      const columns = this.#columns.map((column) => column.take(rows, this.#arena));
      const nothing = this.#keyFilter.refresh();
      const kept = nothing
        ? { selection: 0, count: 0 }
        : this.#boundFilter.keep(columns, this.#keyFilter.keep(columns, rows, this.#arena), this.#arena);
      if (kept.count < rows) metrics.add('pushdown_rows_pruned', rows - kept.count);
      left -= rows;
      this.rowsWanted -= rows;
      const elapsed = nanosSince(started);
      metrics.add('time_elapsed_scanning_total', elapsed, 'time');
      metrics.add('time_elapsed_processing', Math.max(0, elapsed - waited), 'time');
      if (this.#untilData > 0) metrics.add('time_elapsed_scanning_until_data', nanosSince(this.#untilData), 'time');
      this.#untilData = 0;
      if (kept.count > 0) yield this.#project(columns, rows, kept);
      else await this.#context.pace();
      started = performance.now();
    }
    this.#keyFilter.endRowGroup();
    metrics.add(
      'bytes_scanned',
      this.#columns.reduce((sum, column) => sum + column.bytesRead, 0),
      'bytes',
    );
  }

  /** How many rows, of at most `most`, every column can give now. Reads that have to wait go side by side. */
  #prepare(most: number): number | Promise<number> {
    let rows = most;
    const waits: Promise<number>[] = [];
    for (const column of this.#columns) {
      const ready = column.prepare(most);
      if (typeof ready === 'number') rows = Math.min(rows, ready);
      else {
        // Another column may fail before anybody waits for this one.
        ready.catch(() => undefined);
        waits.push(ready);
      }
    }
    if (waits.length === 0) return rows;
    return this.#context.scope.wait(Promise.all(waits)).then((all) => Math.min(rows, ...all));
  }

  #project(columns: readonly Column[], capacity: number, { selection, count }: KeptRows): RecordBatch {
    const { schema } = this.#source;
    const selected = { capacity, selection };
    if (this.#plainOutputs !== null) {
      return new RecordBatch(
        schema,
        this.#plainOutputs.map((place) => columns[place]!),
        count,
        selected,
      );
    }
    invariant(this.#evaluator !== null, 'a computing scan has an evaluator');
    const batch = new RecordBatch(this.#readSchema, columns, count, selected);
    return batch.withColumns(schema, this.#evaluator.evaluate(batch, this.#arena));
  }

  /** The row groups that begin in the piece's byte range and may hold rows that are wanted. */
  async #rowGroups(footer: ParquetFooter, { range }: PartitionedFile, leaves: Int32Array): Promise<number[]> {
    const { metrics } = this.#context;
    const started = performance.now();
    const leafOf = (column: number): number => leaves[column]!;
    const chosen: number[] = [];
    const counts = { read: 0, pruned_statistics: 0, pruned_dynamic_filter: 0 };
    for (let rowGroup = 0; rowGroup < footer.rowGroupCount; rowGroup++) {
      const start = footer.rowGroupStart(rowGroup);
      if (range !== null && (start < range.start || start >= range.end)) continue;
      const verdict = this.#pruner.judge(footer, rowGroup, leafOf);
      counts[verdict]++;
      if (verdict === 'read') chosen.push(rowGroup);
      await this.#context.pace();
    }
    metrics.add('row_groups_matched_statistics', counts.read + counts.pruned_dynamic_filter);
    metrics.add('row_groups_pruned_statistics', counts.pruned_statistics);
    metrics.add('row_groups_pruned_dynamic_filter', counts.pruned_dynamic_filter);
    metrics.add('statistics_eval_time', nanosSince(started), 'time');
    return this.#pruner.order(footer, chosen, leafOf);
  }

  /** Per table column its leaf in a file; columns are found by name. */
  #leaves(schema: ParquetSchema, path: string): Int32Array {
    const known = this.#leavesBySchema.get(schema);
    if (known !== undefined) return known;
    const { tableSchema } = this.#source.fileScan;
    const positions = new Map(schema.schema.fields.map(({ name }, index) => [name, index]));
    const leaves = Int32Array.from(tableSchema.fields, ({ name, type }) => {
      const position = positions.get(name);
      if (position === undefined) throw dataError(path, `it has no column ${quoted(name)}`);
      const own = schema.schema.field(position).type;
      if (!sameStorage(own, type)) {
        throw dataError(path, `its column ${quoted(name)} is ${typeName(own)}, but ${typeName(type)} in the table`);
      }
      return schema.columns[position]!.leaf;
    });
    this.#leavesBySchema.set(schema, leaves);
    return leaves;
  }

  #columnReader(file: OpenFile, footer: ParquetFooter, column: number, leaves: Int32Array): AnyColumnReader {
    const { name, type } = this.#source.fileScan.tableSchema.field(column);
    if (type.kind === 'Null') return new NullColumnReader();
    const leaf = footer.schema.leaves[leaves[column]!];
    invariant(leaf !== undefined, `column ${quoted(name)} has no leaf`);
    return new ColumnReader({ file, pool: this.#pool, scratch: this.#scratch, name, type, leaf });
  }

  #closeFile(): void {
    for (const column of this.#columns) column.close();
    this.#columns = [];
    this.#file?.close();
    this.#file = null;
  }

  /** Frees everything. Reads that are under way still write to their buffers: those stay until they are done. */
  close(): void {
    const pending = this.#columns.map((column) => column.pending).filter((read) => read !== null);
    this.#file?.close();
    this.#file = null;
    this.#columns = [];
    this.#arena.free();
    this.#flags.free();
    this.#boundFilter.free();
    if (pending.length === 0) this.#pool.close();
    else this.#context.scope.drain(this.#pool.closeAfter(Promise.allSettled(pending)));
  }
}

/** Strings and binaries lie alike whatever the table calls them. */
function sameStorage(a: DataType, b: DataType): boolean {
  return typesEqual(a, b) || (isViewed(a) && isViewed(b));
}

function isViewed(type: DataType): boolean {
  return isString(type) || type.kind === 'Binary' || type.kind === 'BinaryView' || type.kind === 'LargeBinary';
}

function nanosSince(start: number): number {
  return Math.round((performance.now() - start) * 1e6);
}
