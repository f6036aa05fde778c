import type { FileGroup } from '../catalog/file-scan.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';

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
