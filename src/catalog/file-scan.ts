import type { BoundValue } from '../columnar/rows/row-bound.js';
import type { Schema } from '../columnar/schema.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';
import type { Statistics } from './statistics.js';

/** A file or a piece of one. `path` is as given to the operating system; `size` is the whole file's, in bytes. */
export interface PartitionedFile {
  readonly path: string;
  readonly size: number;
  /** Modification time in ms, to notice a file that changes between planning and reading. */
  readonly modifiedMs: number;
  /** Byte range [start, end) of this piece, or null for the whole file. */
  readonly range: { readonly start: number; readonly end: number } | null;
}

/** The bytes [start, end) of a file; the file itself where it is that piece already. */
export function pieceOf(file: PartitionedFile, start: number, end: number): PartitionedFile {
  const { path, size, modifiedMs, range } = file;
  if (range !== null && range.start === start && range.end === end) return file;
  return { path, size, modifiedMs, range: { start, end } };
}

export function pieceBytes({ size, range }: PartitionedFile): number {
  return range === null ? size : range.end - range.start;
}

/** The files one partition reads, in order. */
export type FileGroup = readonly PartitionedFile[];

/** Groups never change, and planning asks for their bytes again and again. */
const bytesOfGroups = new WeakMap<readonly FileGroup[], number>();

/** All bytes that groups read together. */
export function groupsBytes(groups: readonly FileGroup[]): number {
  let bytes = bytesOfGroups.get(groups);
  if (bytes === undefined) {
    bytes = 0;
    for (const group of groups) for (const file of group) bytes += pieceBytes(file);
    bytesOfGroups.set(groups, bytes);
  }
  return bytes;
}

/** What a table knows of its single files. For planning: it does not travel with a plan. */
export interface FileBounds {
  /** A table column's first value in ascending or descending order; null when it is not known or all values are NULL. */
  first(path: string, column: number, descending: boolean): BoundValue;
}

/** One output column of a scan: an expression over the table schema (usually a plain column) and its name. */
export interface ScanProjection {
  readonly expr: PhysicalExpr;
  readonly name: string;
}

/**
 * What a file scan reads; DataFusion's FileScanConfig. Immutable; rules make changed copies.
 * `predicate` is over the full `tableSchema` and only prunes (row groups, pages): the FilterExec above stays.
 */
export interface FileScanConfig {
  readonly fileType: 'parquet' | 'csv' | 'json' | 'arrow';
  /** All columns of the table; for Parquet, strings as Utf8View. */
  readonly tableSchema: Schema;
  /** What EXPLAIN shows in place of the working directory or data root is decided by the printer; paths here are absolute. */
  readonly fileGroups: readonly FileGroup[];
  readonly projection: readonly ScanProjection[];
  readonly predicate: PhysicalExpr | null;
  readonly limit: number | null;
  /** Orders the files are known to have; over the projected schema. */
  readonly outputOrderings: readonly (readonly PhysicalSortExpr[])[];
  /** Keys by which row groups are best visited (PushdownSort's inexact answer); over the projected schema. */
  readonly sortOrderForReorder: readonly PhysicalSortExpr[] | null;
  readonly reverseRowGroups: boolean;
  readonly fileBounds?: FileBounds;
  /** Statistics of the whole table, one entry per table column, before projection. */
  readonly tableStatistics: Statistics;
  /**
   * Set for layouts that are hash partitioned by these keys (over the projected schema), group i holding bucket i of
   * `fileGroups.length`: DataFusion's declared `output_partitioning`. Groups of such a scan are never cut or mixed.
   */
  readonly hashKeys?: readonly PhysicalExpr[];
}
