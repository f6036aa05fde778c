/**
 * Leaf scaling of file scans: how many tasks a scan wants, and its files dealt over them.
 * Source: distributed planner reference, 5.1, 5.3, 5.4.
 */
import { byteSplit } from '../../catalog/byte-split.js';
import { type FileGroup, type FileScanConfig, groupsBytes } from '../../catalog/file-scan.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { DataSourceExec } from '../../physical/operators/data-source-exec.js';
import { DistributedLeafExec } from '../operators/distributed-leaf-exec.js';
import { desired, type TaskCount } from '../task-count.js';

/** As many tasks as give each partition `distributed.file_scan_config_bytes_per_partition` bytes of files; whole files count, not what a query reads of them. */
export function fileScanTaskCount(node: ExecutionPlan, config: SessionConfig): TaskCount | undefined {
  const scan = fileScanOf(node);
  if (scan === null) return undefined;
  const bytes = groupsBytes(scan.fileGroups);
  const partitions = Math.ceil(bytes / config.get('distributed.file_scan_config_bytes_per_partition'));
  // A scan of nothing still needs a task that gives its zero rows.
  return desired(Math.max(1, Math.ceil(partitions / config.get('execution.target_partitions'))));
}

/** The scan with one variant per task; each keeps everything but the files of the others. */
export function scaleUpFileScan(leaf: ExecutionPlan, taskCount: number): ExecutionPlan | undefined {
  if (!(leaf instanceof DataSourceExec)) return undefined;
  const scan = fileScanOf(leaf);
  if (scan === null) return undefined;
  return DistributedLeafExec.overFiles(leaf, dealGroups(scan, taskCount));
}

function fileScanOf(node: ExecutionPlan): FileScanConfig | null {
  if (!(node instanceof DataSourceExec)) return null;
  const scan = node.source.fileScan;
  return scan === null || scan.fileGroups.length === 0 ? null : scan;
}

/**
 * The file groups of each task. Group g goes to task `g mod tasks`, so that neighbouring bytes are read by different tasks. Where that
 * leaves tasks with fewer groups than others (tiny files, ordered files that cannot be cut), empty groups even it out.
 *
 * The buckets of a hash layout are dealt whole and in order: both sides of a co-partitioned join put equal keys in the same task and
 * partition, however many files a bucket has.
 */
export function dealGroups(scan: FileScanConfig, taskCount: number): FileGroup[][] {
  const targetGroups = scan.fileGroups.length * taskCount;
  const keepOrder = scan.outputOrderings.length > 0;
  const isHashed = scan.hashKeys !== undefined;
  const cut = isHashed ? null : byteSplit(scan.fileGroups, { targetGroups, minBytes: 0, keepOrder });
  const groups = cut ?? scan.fileGroups;
  const dealt = isHashed ? targetGroups : Math.ceil(groups.length / taskCount) * taskCount;
  const tasks: FileGroup[][] = Array.from({ length: taskCount }, () => []);
  for (let group = 0; group < dealt; group++) tasks[group % taskCount]?.push(groups[group] ?? []);
  return tasks;
}
