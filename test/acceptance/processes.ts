/** What the operating system says of processes; Linux only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The reason to skip what looks at /proc; false where it is there. */
export function skipWithoutProc(): string | false {
  return existsSync('/proc/self/status') ? false : 'this system has no /proc';
}

/** The process and those it started, as far as they run. */
export function processTree(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [pid, ...children];
}

/** Most bytes that the process ever had resident; undefined when it is gone. */
export function peakBytes(pid: number): number | undefined {
  const line = /^VmHWM:\s*(\d+) kB$/m.exec(read(`/proc/${pid}/status`));
  return line === null ? undefined : Number(line[1]) * 1024;
}

/** Field 4 of stat; the name before it is in brackets and may hold anything. */
function parentOf(pid: string): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Empty for a process that is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Bytes that the process handed to write calls so far; 0 when it is gone. */
export function writtenBytes(pid: number): number {
  const line = /^wchar: (\d+)$/m.exec(read(`/proc/${pid}/io`));
  return line === null ? 0 : Number(line[1]);
}
