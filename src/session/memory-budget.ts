import { availableParallelism, freemem } from 'node:os';
import type { SessionConfig } from '../config/session-config.js';

/** A process costs about this much before it works. */
const PROCESS_BYTES = 64 * 2 ** 20;
/** The memory a worker process should at least have for itself. */
const MIN_PROCESS_BUDGET = 256 * 2 ** 20;
/** One process's engine memory ends at 65,535 pages. */
const MAX_PROCESS_BUDGET = 65_535 * 65_536;

export interface ProcessBudget {
  /** Processes that may host tasks, the coordinator included. */
  readonly processes: number;
  /** Memory budget of each, in bytes. */
  readonly bytesPerProcess: number;
}

/** Bytes this machine (or container) lets us use: 70 % of the smaller of the cgroup limit and the available memory. */
function availableBytes(): number {
  // Node says 2^64-ish when there is no limit.
  const constrained = process.constrainedMemory();
  const available = freemem();
  return 0.7 * (constrained > 0 && constrained < 2 ** 52 ? Math.min(constrained, available) : available);
}

/**
 * How many processes and how much memory each: processes = min(workers, cores, memory ÷ 256 MiB), at least one.
 * `distq.memory_bytes` is the total when set.
 */
export function processBudget(config: SessionConfig, workers: number): ProcessBudget {
  const given = config.get('distq.memory_bytes');
  const total = given > 0 ? given : availableBytes();
  const byMemory = Math.max(1, Math.floor(total / (MIN_PROCESS_BUDGET + PROCESS_BYTES)));
  const processes = Math.max(1, Math.min(workers, availableParallelism(), byMemory));
  const net = given > 0 && total < processes * 2 * PROCESS_BYTES ? total : total - processes * PROCESS_BYTES;
  return { processes, bytesPerProcess: Math.min(MAX_PROCESS_BUDGET, Math.max(1, Math.floor(net / processes))) };
}

/** Logical workers: the setting, or the available cores, at most 16. */
export function workerCount(config: SessionConfig): number {
  const set = config.get('distq.workers');
  return set > 0 ? set : Math.min(16, availableParallelism());
}
