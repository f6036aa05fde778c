import type { ScanRequest } from '../../catalog/data-source.js';
import type { FileGroup, FileScanConfig, PartitionedFile } from '../../catalog/file-scan.js';
import { statisticsToInexact } from '../../catalog/projection-statistics.js';
import { ABSENT, inexact, type Statistics } from '../../catalog/statistics.js';
import type { Schema } from '../../columnar/schema.js';
import { physicalColumn } from '../../expr/physical-expr.js';

/** A table that is a list of files. */
export interface FileTable {
  readonly schema: Schema;
  readonly files: readonly PartitionedFile[];
  /** Rows of each file; empty where they are not known. */
  readonly fileRows: Float64Array;
  readonly statistics: Statistics;
}

/** The scan of a table of files: with a limit only as many files, in order, as hold more rows than it asks for. */
export function scanOfFiles(
  table: FileTable,
  fileType: FileScanConfig['fileType'],
  { projection, limit, isFiltered = false, targetPartitions }: ScanRequest,
): FileScanConfig {
  const { schema, statistics } = table;
  const wanted = limit === null || isFiltered ? table.files.length : filesForRows(table, limit);
  const files = wanted === table.files.length ? table.files : table.files.slice(0, wanted);
  return {
    fileType,
    tableSchema: schema,
    fileGroups: groupFiles(files, targetPartitions),
    projection: projection.map((index) => ({ expr: physicalColumn(schema, index), name: schema.field(index).name })),
    predicate: null,
    limit,
    outputOrderings: [],
    sortOrderForReorder: null,
    reverseRowGroups: false,
    tableStatistics: wanted === table.files.length ? statistics : statisticsOfFirst(table, wanted),
  };
}

/** How many files, in order, hold more rows than the limit; all when their rows are unknown. */
function filesForRows({ files, fileRows }: FileTable, limit: number): number {
  let rows = 0;
  for (let i = 0; i < fileRows.length; i++) {
    rows += fileRows[i]!;
    if (rows > limit) return i + 1;
  }
  return files.length;
}

/** An estimate for a part of the files: their rows, the whole table's bounds, other counts in proportion. */
function statisticsOfFirst({ fileRows, statistics }: FileTable, fileCount: number): Statistics {
  const rows = fileRows.subarray(0, fileCount).reduce((sum, count) => sum + count, 0);
  const total = fileRows.reduce((sum, count) => sum + count, 0);
  const part = (count: number): number => Math.ceil((count * rows) / total);
  const { columns } = statisticsToInexact(statistics);
  return {
    numRows: inexact(rows),
    totalByteSize: ABSENT,
    columns: columns.map((column) => ({
      ...column,
      nullCount: column.nullCount.kind === 'absent' ? ABSENT : inexact(part(column.nullCount.value)),
      byteSize: column.byteSize.kind === 'absent' ? ABSENT : inexact(part(column.byteSize.value)),
    })),
  };
}

/** The last groups of a table's files: its scans share them, and with them what later steps work out once for the same groups. */
const lastGroups = new WeakMap<readonly PartitionedFile[], { readonly size: number; readonly groups: FileGroup[] }>();

/** Consecutive chunks of ⌈files ÷ target⌉ files; there may be fewer groups than asked for. */
function groupFiles(files: readonly PartitionedFile[], targetPartitions: number): readonly FileGroup[] {
  const size = Math.ceil(files.length / targetPartitions);
  const last = lastGroups.get(files);
  if (last?.size === size) return last.groups;
  const groups: FileGroup[] = [];
  for (let i = 0; i < files.length; i += size) groups.push(files.slice(i, i + size));
  lastGroups.set(files, { size, groups });
  return groups;
}
