import type { FileGroup } from '../catalog/file-scan.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import { formatBytes } from './metric-text.js';

/** How much one task reads of a leaf. */
export interface TaskShare {
  readonly groups: number;
  /** Distinct files; a file cut into pieces counts once. */
  readonly files: number;
  readonly bytes: number;
}

/** The file groups of a leaf that reads files; null for every other leaf. */
export function fileGroupsOf(leaf: ExecutionPlan): readonly FileGroup[] | null {
  return leaf instanceof DataSourceExec ? (leaf.source.fileScan?.fileGroups ?? null) : null;
}

/** A page or a drawing with longer lists of files than this could not be opened any more, or not be read. */
const MOST_LISTED = 1000;

/** Whether a leaf has so many files and pieces of files that only plain text and JSON list them; other formats tell their number. */
export function hasLongList(leaf: ExecutionPlan): boolean {
  if (leaf instanceof DistributedLeafExec) return leaf.variants.length > MOST_LISTED || hasLongList(leaf.original);
  const groups = fileGroupsOf(leaf) ?? [];
  return groups.reduce((sum, { length }) => sum + length, 0) > MOST_LISTED;
}

export function shareOf(groups: readonly FileGroup[]): TaskShare {
  const paths = new Set<string>();
  let bytes = 0;
  for (const { path, size, range } of groups.flat()) {
    paths.add(path);
    bytes += range === null ? size : range.end - range.start;
  }
  return { groups: groups.length, files: paths.size, bytes };
}

/** What each task reads, or null unless all variants read files. */
export function sharesOf(variants: readonly ExecutionPlan[]): readonly TaskShare[] | null {
  const groups = variants.map(fileGroupsOf);
  const shares = groups.flatMap((own) => (own === null ? [] : [shareOf(own)]));
  return shares.length === variants.length ? shares : null;
}

/** `t0..t1: 3 files, 2.0 MB`, one text per run of neighbours that read equally much. */
export function shareTexts(shares: readonly TaskShare[]): string[] {
  const runs: { first: number; last: number; text: string }[] = [];
  for (const [task, { files, bytes }] of shares.entries()) {
    const text = `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`;
    const run = runs.at(-1);
    if (run?.text === text) run.last = task;
    else runs.push({ first: task, last: task, text });
  }
  return runs.map(({ first, last, text }) => `t${first}${last === first ? '' : `..t${last}`}: ${text}`);
}
