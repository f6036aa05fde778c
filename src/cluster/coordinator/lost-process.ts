import { DistqError } from '../../base/errors.js';
import type { ChildExit } from '../transport/child-worker.js';

/** How a process ended, as the error of whoever needed it: `<name> was killed by SIGKILL <when>`, its last words as the cause. */
export function lostProcess(name: string, exit: ChildExit, when: string): DistqError {
  // Ctrl-C in the moment before a new process learnt to leave it to the coordinator.
  if (exit.signal === 'SIGINT') return new DistqError('cancelled', 'interrupted');
  const lastWords = exit.stderr.trim();
  return new DistqError('worker_lost', `${name} ${howItEnded(exit)} ${when}`, {
    ...(exit.signal === 'SIGKILL'
      ? { hint: 'the system kills processes when memory runs out: try a smaller --memory' }
      : {}),
    ...(lastWords === '' ? {} : { cause: lastWords }),
  });
}

function howItEnded({ code, signal }: ChildExit): string {
  if (signal !== null) return `was killed by ${signal}`;
  return code === null ? 'could not be started' : `ended with code ${code}`;
}
