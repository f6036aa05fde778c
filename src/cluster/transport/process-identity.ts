import { readFileSync } from 'node:fs';

/**
 * When a process started, as a text that differs from that of any later process with the same id: on Linux the start time in clock
 * ticks since boot; elsewhere, where that cannot be had cheaply, `0`. Undefined when there is no such process (a zombie counts as
 * none: `kill(pid, 0)` succeeds for it, but it does nothing any more).
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return isAlive(pid) ? '0' : undefined;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The command name stands in parentheses and may hold anything, spaces and parentheses too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
