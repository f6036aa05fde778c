import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;
/** What a process costs before it works: Node, the engine's modules, their views. */
const PROCESS_OVERHEAD_BYTES = 64 * MEBIBYTE;
/** No process is worth starting with less. */
export const MIN_PROCESS_BYTES: number = 256 * MEBIBYTE;
const SHARE = 0.7;

/**
 * What all processes together may use: the setting where it is given, else 70 % of the smaller of what the container allows and what
 * the machine has free. Containers kill on resident memory, so a reservation that succeeded proves nothing (engine rule 5.3).
 */
export function totalMemoryBytes(setting: number): number {
  if (setting > 0) return setting;
  // "No limit" is 1.8e19 here.
  const limit = process.constrainedMemory();
  const allowed = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.floor(SHARE * Math.min(allowed, process.availableMemory()));
}

/** What the engine of each of so many processes may use; its address space ends at 4 GiB in any case. */
export function processMemoryBytes(totalBytes: number, processes: number): number {
  const share = Math.floor((totalBytes - PROCESS_OVERHEAD_BYTES * processes) / processes);
  return Math.min(4 * 1024 * MEBIBYTE, Math.max(16 * MEBIBYTE, share));
}
