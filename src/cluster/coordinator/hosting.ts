import { availableParallelism } from 'node:os';
import { DistqError } from '../../base/errors.js';
import { type FileScanConfig, groupsBytes } from '../../catalog/file-scan.js';
import { known } from '../../catalog/statistics.js';
import type { SessionConfig } from '../../config/session-config.js';
import { NetworkBoundary } from '../../distributed/network-boundary.js';
import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { columnIndices } from '../../expr/physical-expr-transform.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { LeafExec } from '../../physical/leaf/leaf-exec.js';
import { DataSourceExec } from '../../physical/operators/data-source-exec.js';
import { MIN_PROCESS_BYTES, totalMemoryBytes } from './memory-budget.js';

/**
 * Where the logical workers live. It never changes the plan (engine rule 8.1): the same plan runs with one process or with ten.
 */
export interface Hosting {
  /** Worker processes besides this one. */
  readonly children: number;
  /** Process of each logical worker; 0 is the coordinator. */
  readonly placement: readonly number[];
}

/** A fork costs ~100 ms of boot and pays off from ~300 ms of CPU; compressed Parquet is scanned at about 200 MB/s by one core. */
const WORTH_FORKING_BYTES = 60_000_000;
/** Processes that run already cost only the exchange, which is worth ~100 ms of CPU. */
const WORTH_SENDING_BYTES = 20_000_000;
const MAX_DEFAULT_WORKERS = 16;

/** Logical workers of a session: the setting, or the cores that may be used, at most 16. */
export function workerCount(config: SessionConfig): number {
  const given = config.get('distq.workers');
  return given > 0 ? given : Math.min(availableParallelism(), MAX_DEFAULT_WORKERS);
}

export interface HostingRequest {
  readonly plan: ExecutionPlan;
  readonly config: SessionConfig;
  readonly workers: number;
  /** Children that run already. */
  readonly running: number;
  /** Why no other process can run the plan's tasks, as a clause; null when all can. */
  readonly onlyHere?: string | null;
}

/** Decides by the setting, or by the bytes that the plan reads. A plan without boundaries runs where its head runs. */
export function decideHosting({ plan, config, workers, running, onlyHere = null }: HostingRequest): Hosting {
  const mode = config.get('distq.worker_mode');
  const inProcess = { children: 0, placement: new Array<number>(workers).fill(0) };
  if (mode === 'in_process' || !hasStages(plan)) return inProcess;
  if (onlyHere !== null) {
    if (mode === 'auto') return inProcess;
    throw new DistqError('config', `worker processes cannot load what they need: ${onlyHere}`, {
      hint: 'give the plug-in as the path of a module, or set distq.worker_mode to in_process',
    });
  }
  if (mode === 'auto' && scanBytes(plan) < (running > 0 ? WORTH_SENDING_BYTES : WORTH_FORKING_BYTES)) return inProcess;

  const byMemory = Math.floor(totalMemoryBytes(config.get('distq.memory_bytes')) / MIN_PROCESS_BYTES);
  const useful = Math.min(workers, availableParallelism(), Math.max(1, byMemory));
  // Who asks for processes gets one besides this, whatever the machine looks like.
  const processes = mode === 'processes' ? Math.max(useful, Math.min(2, workers)) : useful;
  if (hostsTasks(plan, config, processes)) {
    return { children: processes - 1, placement: Array.from({ length: workers }, (_, worker) => worker % processes) };
  }
  return { children: processes, placement: Array.from({ length: workers }, (_, worker) => 1 + (worker % processes)) };
}

/** The coordinator works like the others unless a large result keeps it busy already (engine rule 9). */
function hostsTasks(plan: ExecutionPlan, config: SessionConfig, processes: number): boolean {
  switch (config.get('distq.coordinator_tasks')) {
    case 'always':
      return true;
    case 'never':
      return false;
    default:
      return processes === 1 || !hasLargeOutput(plan);
  }
}

/** True unless a limit or an aggregate stands above everything that could multiply rows. */
function hasLargeOutput(plan: ExecutionPlan): boolean {
  if (plan.fetch !== null || plan.name === 'AggregateExec') return false;
  const [child, ...others] = plan.children;
  return child === undefined || others.length > 0 || hasLargeOutput(child);
}

function hasStages(plan: ExecutionPlan): boolean {
  return plan instanceof NetworkBoundary || plan.children.some(hasStages);
}

/** Bytes that all tasks of a plan read: of files, the share of the columns that are wanted. */
function scanBytes(plan: ExecutionPlan): number {
  if (plan instanceof DistributedLeafExec) return plan.variants.reduce((sum, variant) => sum + scanBytes(variant), 0);
  if (plan instanceof DataSourceExec) {
    const scan = plan.source.fileScan;
    if (scan === null) return 0;
    return groupsBytes(scan.fileGroups) * shareOfColumns(scan);
  }
  if (plan instanceof LeafExec) return known(plan.statistics().totalByteSize) ?? 0;
  return plan.children.reduce((sum, child) => sum + scanBytes(child), 0);
}

/** How much of its files a scan reads, by the sizes of columns that the table knows; all of them when it does not. */
function shareOfColumns({ projection, tableStatistics }: FileScanConfig): number {
  const sizes = tableStatistics.columns.map(({ byteSize }) => known(byteSize));
  if (sizes.includes(undefined)) return 1;
  const sum = (columns: Iterable<number>): number =>
    [...columns].reduce((total, column) => total + (sizes[column] ?? 0), 0);
  const all = sum(sizes.keys());
  return all === 0 ? 1 : sum(columnIndices(projection.map(({ expr }) => expr))) / all;
}
