import type { FileGroup, FileScanConfig, PartitionedFile, ScanProjection } from '../../catalog/file-scan.js';
import { displayPhysicalExpr, displaySortExprs } from '../../expr/physical-expr-display.js';

const MOST_SHOWN = 5;

/** How EXPLAIN begins with every file scan, in DataFusion's text. Without `full` at most 5 groups of 5 files. */
export function describeFileGroups(groups: readonly FileGroup[], full: boolean): string {
  return `file_groups=${displayFileGroups(groups, full)}`;
}

/** What follows of every file scan, `, projection=` to `file_type=`. Of the groups it tells at most the number. */
export function describeFileScan(config: FileScanConfig): string {
  let text = '';
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
  const most = full ? Infinity : MOST_SHOWN;
  let shown = '';
  for (const [index, group] of groups.entries()) {
    if (index === most) break;
    shown += index === 0 ? '[' : ', [';
    for (let i = 0; i < group.length && i < most; i++) {
      if (i > 0) shown += ', ';
      shown += fileText(group[i]!);
    }
    shown += group.length > most ? ', ...]' : ']';
  }
  if (groups.length > most) shown += ', ...';
  return `{${groups.length} ${groups.length === 1 ? 'group' : 'groups'}: [${shown}]}`;
}

/** Paths as object stores have them: no slash in front. Lists are long, so that most paths are taken as they are. */
function fileText({ path, range }: PartitionedFile): string {
  let location = path;
  if (location.includes('\\')) location = location.replaceAll('\\', '/');
  if (location.startsWith('/')) location = location.replace(/^\/+/, '');
  return range === null ? location : `${location}:${range.start}..${range.end}`;
}

/** A plain column under its own name is just the name. */
function projectionText({ expr, name }: ScanProjection, { tableSchema }: FileScanConfig): string {
  if (expr.kind === 'column' && tableSchema.field(expr.index).name === name) return name;
  const text = displayPhysicalExpr(expr);
  return text === name ? text : `${text} as ${name}`;
}
