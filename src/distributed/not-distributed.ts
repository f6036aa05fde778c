import { groupsBytes } from '../catalog/file-scan.js';
import type { SessionConfig } from '../config/session-config.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { DataSourceExec } from '../physical/operators/data-source-exec.js';
import { LeafExec } from '../physical/leaf/leaf-exec.js';
import { visitPlan } from '../physical/tree.js';
import { type DistributionHandlers, firstAnswer } from './handlers.js';

export interface NotDistributedOptions {
  readonly config: SessionConfig;
  readonly handlers: DistributionHandlers;
  readonly maxTasks: number;
}

/** Why a plan stays in one process, with the setting that would change it: the clause that goes on after "the plan runs in one task: ". */
export function whyNotDistributed(plan: ExecutionPlan, { config, handlers, maxTasks }: NotDistributedOptions): string {
  if (maxTasks === 1) {
    return config.get('distributed.max_tasks_per_stage') === 1
      ? 'distributed.max_tasks_per_stage is 1'
      : 'there is one worker; raise --workers';
  }
  const leaves: ExecutionPlan[] = [];
  visitPlan(plan, (node) => {
    if (node.children.length === 0) leaves.push(node);
  });
  const scanBytes = leaves.map(fileBytes).filter((bytes) => bytes !== null);
  const wantsSeveral = leaves.some((leaf) => (firstAnswer(handlers.desiredTaskCount, leaf, config)?.n ?? 1) > 1);
  const custom = leaves.find((leaf) => leaf instanceof LeafExec);
  if (custom !== undefined && scanBytes.length === 0 && !wantsSeveral) {
    return `nothing wants more tasks for ${custom.name}; a plug-in's desiredTaskCount handler can`;
  }
  if (scanBytes.length === 0 && !wantsSeveral) return 'the plan reads no files';
  if (!wantsSeveral) {
    const perTask =
      config.get('distributed.file_scan_config_bytes_per_partition') * config.get('execution.target_partitions');
    return (
      `its largest scan, ${megabytes(Math.max(...scanBytes))}, fits one task of ${megabytes(perTask)}; ` +
      'lower distributed.file_scan_config_bytes_per_partition'
    );
  }
  if (config.get('execution.target_partitions') === 1) {
    return 'with one partition the plan has no exchange; raise --partitions';
  }
  const single = leaves.find((leaf) => leaf instanceof LeafExec && leaf.properties.partitioning.count === 1);
  const advice = single === undefined ? '' : `; give ${single.name} two partitions`;
  return `the plan has no exchange between tasks: it runs in one partition from scan to result${advice}`;
}

function fileBytes(leaf: ExecutionPlan): number | null {
  if (!(leaf instanceof DataSourceExec) || leaf.source.fileScan === null) return null;
  return groupsBytes(leaf.source.fileScan.fileGroups);
}

function megabytes(bytes: number): string {
  if (bytes < 2 ** 20) return `${(bytes / 2 ** 10).toFixed(1)} KiB`;
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
