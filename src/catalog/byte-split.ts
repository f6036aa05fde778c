import { type FileGroup, groupsBytes, type PartitionedFile, pieceBytes, pieceOf } from './file-scan.js';

export interface ByteSplitOptions {
  /** How many groups are wanted. Tiny data gives fewer: `ceil(total / ceil(total / targetGroups))`. */
  readonly targetGroups: number;
  /** Data smaller than this many bytes is left alone. */
  readonly minBytes: number;
  /** The scan declares an order: then only whole files that are alone in their group are cut, and no two files are mixed. */
  readonly keepOrder: boolean;
}

/** The last split of groups: a table that a query reads several times, or whose leaf is planned again, is cut once. */
const lastSplits = new WeakMap<readonly FileGroup[], Split>();

interface Split {
  readonly options: ByteSplitOptions;
  readonly result: readonly FileGroup[] | null;
}

/**
 * Regroups the files of a scan by bytes, or gives null where the groups should stay as they are.
 *
 * Pieces carry an explicit range, also when they cover a whole file; a file that had a range is cut inside it. Without order the files
 * are taken in group order as one string of bytes and every group but the last gets exactly `ceil(total / targetGroups)` of them.
 *
 * Source: FileGroupPartitioner in apache/datafusion, datasource/src/file_groups.rs.
 */
export function byteSplit(groups: readonly FileGroup[], options: ByteSplitOptions): readonly FileGroup[] | null {
  const last = lastSplits.get(groups);
  if (last !== undefined && sameOptions(last.options, options)) return last.result;
  const result = options.keepOrder ? splitKeepingOrder(groups, options) : splitEvenly(groups, options);
  lastSplits.set(groups, { options, result });
  return result;
}

function sameOptions(a: ByteSplitOptions, b: ByteSplitOptions): boolean {
  return a.targetGroups === b.targetGroups && a.minBytes === b.minBytes && a.keepOrder === b.keepOrder;
}

function splitEvenly(groups: readonly FileGroup[], { targetGroups, minBytes }: ByteSplitOptions): FileGroup[] | null {
  const total = groupsBytes(groups);
  if (total === 0 || total < minBytes) return null;
  const groupBytes = Math.ceil(total / targetGroups);
  let current: PartitionedFile[] = [];
  const result = [current];
  let room = groupBytes;
  for (const group of groups) {
    for (const file of group) {
      const end = file.range === null ? file.size : file.range.end;
      let start = file.range === null ? 0 : file.range.start;
      while (start < end) {
        if (room === 0) {
          current = [];
          result.push(current);
          room = groupBytes;
        }
        const cut = Math.min(start + room, end);
        current.push(pieceOf(file, start, cut));
        room -= cut - start;
        start = cut;
      }
    }
  }
  return result;
}

function splitKeepingOrder(groups: readonly FileGroup[], options: ByteSplitOptions): FileGroup[] | null {
  const { targetGroups } = options;
  if (groups.length >= targetGroups) return null;
  const [only] = groups;
  if (groups.length === 1 && only?.length === 1) return splitEvenly(groups, options);
  const result: FileGroup[] = [...groups];
  while (result.length < targetGroups) result.push([]);
  // One entry per file that is alone in its group: the groups its ranges go to.
  const cuttable = groups.flatMap((group, index) => {
    const [file] = group;
    return group.length === 1 && file !== undefined ? [{ file, targets: [index] }] : [];
  });
  if (cuttable.length === 0) return null;
  const rangeBytes = (entry: { file: PartitionedFile; targets: number[] }): number =>
    Math.floor(pieceBytes(entry.file) / entry.targets.length);
  for (const [index, group] of result.entries()) {
    if (group.length > 0) continue;
    cuttable.reduce((a, b) => (rangeBytes(b) > rangeBytes(a) ? b : a)).targets.push(index);
  }
  for (const entry of cuttable) {
    const { file, targets } = entry;
    const bytes = rangeBytes(entry);
    let start = file.range?.start ?? 0;
    const end = start + pieceBytes(file);
    for (const [position, target] of targets.entries()) {
      const cut = position === targets.length - 1 ? end : start + bytes;
      result[target] = [pieceOf(file, start, cut)];
      start = cut;
    }
  }
  return result;
}
