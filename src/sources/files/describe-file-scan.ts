import type { FileGroup, FileScanConfig, PartitionedFile, ScanProjection } from '../../catalog/file-scan.js';
import { displayPhysicalExpr, displaySortExprs } from '../../expr/physical-expr-display.js';

const MOST_SHOWN = 5;

/**
 * What EXPLAIN says of every file scan, `file_groups=` to `file_type=`, in DataFusion's text. Without `full` at most 5 groups of 5 files.
 */
export function describeFileScan(config: FileScanConfig, full: boolean): string {
  let text = `file_groups=${displayFileGroups(config.fileGroups, full)}`;
  if (config.projection.length > 0) {
    text += `, projection=[${config.projection.map((entry) => projectionText(entry, config)).join(', ')}]`;
  }
  if (config.limit !== null) text += `, limit=${config.limit}`;
  const orderings = config.outputOrderings
    .filter((keys) => keys.length > 0)
    .map((keys) => `[${displaySortExprs(keys)}]`);
  if (orderings.length === 1) text += `, output_ordering=${orderings.join('')}`;
  else if (orderings.length > 1) text += `, output_orderings=[${orderings.join(', ')}]`;
  if (config.hashKeys !== undefined) {
    const keys = config.hashKeys.map(displayPhysicalExpr).join(', ');
    text += `, output_partitioning=Hash([${keys}], ${config.fileGroups.length})`;
  }
  return `${text}, file_type=${config.fileType}`;
}

/** `{2 groups: [[data/1.parquet], [data/2.parquet:0..100]]}` */
function displayFileGroups(groups: readonly FileGroup[], full: boolean): string {
  const shown = upTo(groups, full, (group) => `[${upTo(group, full, fileText)}]`);
  return `{${groups.length} ${groups.length === 1 ? 'group' : 'groups'}: [${shown}]}`;
}

function upTo<T>(items: readonly T[], full: boolean, text: (item: T) => string): string {
  const shown = full ? items : items.slice(0, MOST_SHOWN);
  return shown.map(text).join(', ') + (items.length > shown.length ? ', ...' : '');
}

/** Paths as object stores have them: no slash in front. */
function fileText({ path, range }: PartitionedFile): string {
  const location = path.replaceAll('\\', '/').replace(/^\/+/, '');
  return range === null ? location : `${location}:${range.start}..${range.end}`;
}

/** A plain column under its own name is just the name. */
function projectionText({ expr, name }: ScanProjection, { tableSchema }: FileScanConfig): string {
  if (expr.kind === 'column' && tableSchema.field(expr.index).name === name) return name;
  const text = displayPhysicalExpr(expr);
  return text === name ? text : `${text} as ${name}`;
}
