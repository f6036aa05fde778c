import type { CancelScope } from '../base/cancel-scope.js';
import type { MetricsRecorder } from '../base/metrics.js';
import type { MemoryConsumer } from '../columnar/memory-pool.js';
import type { RecordBatch } from '../columnar/record-batch.js';
import type { RowBound } from '../columnar/rows/row-bound.js';
import type { KeySet } from '../columnar/rows/key-set.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { Schema } from '../columnar/schema.js';
import type { EncodedNode, ExprCodec } from '../expr/expr-codec.js';
import type { ExpressionCompiler } from '../expr/evaluator.js';
import type { PhysicalExpr } from '../expr/physical-expr.js';
import type { FileRangeQueue } from './file-range-queue.js';
import type { FileScanConfig } from './file-scan.js';
import type { Statistics } from './statistics.js';

/** What a scan needs from the task it runs in. */
export interface ScanContext {
  readonly scope: CancelScope;
  readonly memory: MemoryConsumer;
  readonly metrics: MetricsRecorder;
  readonly batchSize: number;
  /** The leaf's queue in this task; only file sources use it. */
  readonly queue: FileRangeQueue;
  readonly compiler: ExpressionCompiler;
  /** The current predicate of a dynamic filter, or null while it is empty; its column k stands for the placed filter's `children[k]`. */
  dynamicFilter(id: number): PhysicalExpr | null;
  /** The distinct values that rows must have for the filter's children (null = any), or null while they are not known; the same array every time. */
  keySets(id: number): readonly (KeySet | null)[] | null;
  /** The bounds that a filter's makers have reached, one of which a row must be within; null = none yet. The same array until they change. */
  rowBounds(id: number): readonly RowBound[] | null;
  /** Gives the event loop its turn when the time slice is over; awaited between pieces of work that do not pull. */
  pace(): Promise<void> | undefined;
}

/** What a DataSourceExec reads. Immutable; `open` makes the stream that owns buffers and files. */
export interface DataSource {
  readonly schema: Schema;
  readonly partitionCount: number;
  /** Set for file sources: what rules inspect and change. */
  readonly fileScan: FileScanConfig | null;
  statistics(): Statistics;
  /** The source with another configuration (same kind); only for file sources. */
  withFileScan(config: FileScanConfig): DataSource;
  /** Rows after which each partition ends, or null. */
  readonly fetch: number | null;
  /** The source with that fetch. */
  withFetch(fetch: number): DataSource;
  /** The source giving only these of its columns, in that order. */
  withProjection(columns: readonly number[]): DataSource;
  /** Reads one partition. Batches follow the lifetime rule of the stream. */
  open(partition: number, context: ScanContext): AsyncIterable<RecordBatch>;
  /** Everything after `DataSourceExec: `. `full` lists all files, else at most 5 groups of 5. */
  describe(full: boolean): string;
  encode(codec: ExprCodec): EncodedNode;
}

/** How one kind of data source travels; listed by `session/` from `sources/`. `kind` is that of the node `DataSource.encode` makes. */
export interface SourceCodec {
  readonly kind: string;
  decode(fields: EncodedNode, codec: ExprCodec): DataSource;
}

/** A table the binder can name. */
export interface TableProvider {
  /** Columns as the planner sees them (Parquet strings are Utf8View). */
  readonly schema: Schema;
  /** The SQL behind a view, inlined by the binder; null for stored tables. */
  readonly viewSql: string | null;
  /** Statistics of the whole table: rows and, per column, nulls and bounds. */
  statistics(): Statistics;
  /** A scan of the given columns (ascending table positions). `targetPartitions` shapes the file groups. */
  scan(request: ScanRequest): DataSource;
}

export interface ScanRequest {
  readonly projection: readonly number[];
  readonly limit: number | null;
  /** Rows are filtered by what stands above: the first so many need not be enough, so that no file is left out for the limit. */
  readonly isFiltered?: boolean;
  readonly targetPartitions: number;
}

/** Makes a table of constant arguments: `FROM pages('https://…')`. Throws `plan` errors for arguments it cannot take. */
export type TableFunction = (args: readonly ScalarValue[]) => TableProvider;

/** Finds tables by name; opening one reads directories and footers, hence asynchronous. */
export interface Catalog {
  /** The table, or undefined. `name` is already normalised as the SQL says (`catalog.schema.table` parts joined by dots when given). */
  table(name: string): Promise<TableProvider | undefined>;
  /** A path named directly in FROM. */
  tableFromPath(path: string): Promise<TableProvider>;
  /** Names for SHOW TABLES and for suggestions. */
  tableNames(): string[];
  /** By normalised name. */
  readonly tableFunctions?: ReadonlyMap<string, TableFunction>;
}
