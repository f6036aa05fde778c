import { invariant } from '../../base/errors.js';
import { visitPhysical } from '../../expr/physical-expr-transform.js';
import type { DataSource, ScanContext } from '../../catalog/data-source.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import { projectionStatistics, statisticsToInexact } from '../../catalog/projection-statistics.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { Schema } from '../../columnar/schema.js';
import type { EncodedNode, ExprCodec } from '../../expr/expr-codec.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { displayPhysicalExpr, displaySortExprs } from '../../expr/physical-expr-display.js';
import { encodeFileScan } from '../files/file-scan-codec.js';
import { describeFileGroups, describeFileScan } from '../files/describe-file-scan.js';

import type { ParquetOptions } from './parquet-options.js';
import { readPartition } from './parquet-stream.js';
import { buildPruningPredicate } from './pruning-predicate.js';
import { displayGuarantees, requiredGuarantees } from './required-guarantees.js';

/** The kind of an encoded ParquetSource. */
export const PARQUET_SOURCE = 'ParquetSource';

/** A scan of Parquet files: DataFusion's DataSourceExec over a ParquetSource. */
export class ParquetSource implements DataSource {
  readonly schema: Schema;
  readonly fileScan: FileScanConfig;
  readonly options: ParquetOptions;
  /** What `describe` says behind the file groups, once it was asked for: one object for all that differ in their files only. */
  readonly #tail: { text?: string };

  /** `like` reads other files the same way. */
  constructor(fileScan: FileScanConfig, options: ParquetOptions, like?: ParquetSource) {
    this.fileScan = fileScan;
    this.options = options;
    this.schema =
      like?.schema ??
      new Schema(fileScan.projection.map(({ expr, name }) => ({ name, type: expr.type, nullable: expr.nullable })));
    this.#tail = like === undefined ? {} : like.#tail;
  }

  get partitionCount(): number {
    return this.fileScan.fileGroups.length;
  }

  /** The table's statistics, projected; a predicate may drop rows, which makes every figure inexact. */
  statistics(): Statistics {
    const projected = projectionStatistics(this.fileScan.tableStatistics, this.fileScan.projection);
    return this.fileScan.predicate === null ? projected : statisticsToInexact(projected);
  }

  withFileScan(fileScan: FileScanConfig): ParquetSource {
    return new ParquetSource(fileScan, this.options, differInFilesOnly(fileScan, this.fileScan) ? this : undefined);
  }

  get fetch(): number | null {
    return this.fileScan.limit;
  }

  withFetch(fetch: number): ParquetSource {
    return this.withFileScan({ ...this.fileScan, limit: fetch });
  }

  withProjection(columns: readonly number[]): ParquetSource {
    const projection = columns.map((index) => {
      const entry = this.fileScan.projection[index];
      invariant(entry !== undefined, `column ${index} of a scan of ${this.schema.length}`);
      return entry;
    });
    return this.withFileScan({ ...this.fileScan, projection });
  }

  open(partition: number, context: ScanContext): AsyncIterable<RecordBatch> {
    return readPartition(this, partition, context);
  }

  /** DataFusion's text of everything after `DataSourceExec: `. */
  describe(full: boolean): string {
    return describeFileGroups(this.fileScan.fileGroups, full) + (this.#tail.text ??= this.#describeTail());
  }

  #describeTail(): string {
    const { predicate, sortOrderForReorder, reverseRowGroups, tableSchema } = this.fileScan;
    let text = describeFileScan(this.fileScan);
    if (predicate !== null) text += `, predicate=${displayPhysicalExpr(predicate)}`;
    if (sortOrderForReorder !== null) text += `, sort_order_for_reorder=[${displaySortExprs(sortOrderForReorder)}]`;
    if (reverseRowGroups) text += ', reverse_row_groups=true';
    if (predicate === null) return text;
    if (hasDynamicFilter(predicate)) text += ', dynamic_rg_pruning=eligible';
    const pruning = buildPruningPredicate(predicate, tableSchema, this.options);
    const guarantees = displayGuarantees(requiredGuarantees(predicate));
    if (pruning === null && guarantees === '') return text;
    const pruningText = pruning === null ? 'true' : displayPhysicalExpr(pruning.expr);
    return `${text}, pruning_predicate=${pruningText}, required_guarantees=[${guarantees}]`;
  }

  encode(codec: ExprCodec): EncodedNode {
    return { kind: PARQUET_SOURCE, scan: encodeFileScan(this.fileScan, codec), ...this.options };
  }
}

function differInFilesOnly(a: FileScanConfig, b: FileScanConfig): boolean {
  return (
    a.fileType === b.fileType &&
    a.tableSchema === b.tableSchema &&
    a.projection === b.projection &&
    a.predicate === b.predicate &&
    a.limit === b.limit &&
    a.outputOrderings === b.outputOrderings &&
    a.sortOrderForReorder === b.sortOrderForReorder &&
    a.reverseRowGroups === b.reverseRowGroups &&
    a.tableStatistics === b.tableStatistics &&
    a.hashKeys === b.hashKeys &&
    (a.hashKeys === undefined || a.fileGroups.length === b.fileGroups.length)
  );
}

function hasDynamicFilter(predicate: PhysicalExpr): boolean {
  let found = false;
  visitPhysical(predicate, (node) => {
    if (node.kind === 'dynamic_filter') found = true;
  });
  return found;
}
