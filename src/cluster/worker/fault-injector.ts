import { DistqError } from '../../base/errors.js';
import type { ConnectionRole } from '../protocol/hello.js';

/** `kill` ends a child process by SIGKILL; `throw` fails the task; `stall` never goes on; `close` and `truncate` end the connection. */
export type FaultAction = 'kill' | 'throw' | 'stall' | 'close' | 'truncate';
const ACTIONS: readonly FaultAction[] = ['kill', 'throw', 'stall', 'close', 'truncate'];

/** Where faults can happen. `frame` counts all frames a process sends, the roles those on connections of that role only. */
export type FaultPoint = 'frame' | ConnectionRole | 'plan' | 'eos' | 'metrics';
const POINTS: readonly FaultPoint[] = ['frame', 'build', 'exchange', 'head', 'plan', 'eos', 'metrics'];

/**
 * The setting `debug.fault`: `<action>@<point>:<n>`, optionally `/<process>`: at the n-th time (from 1) that the process, or any
 * process, comes by that point. Deterministic, so that a test can say kill at the 1st, 2nd, 3rd … frame.
 */
export class FaultInjector {
  readonly #action: FaultAction | null;
  readonly #point: FaultPoint | null;
  #left: number;

  private constructor(action: FaultAction | null, point: FaultPoint | null, count: number) {
    this.#action = action;
    this.#point = point;
    this.#left = count;
  }

  /** An empty text injects nothing. A process that may not be killed, being the user's own, leaves kills to the others. */
  static parse(text: string, { processIndex, mayKill }: { processIndex: number; mayKill: boolean }): FaultInjector {
    if (text === '') return new FaultInjector(null, null, 0);
    const [, actionText, pointText, count, only] = /^(\w+)@(\w+):(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
    const action = ACTIONS.find((known) => known === actionText);
    const point = POINTS.find((known) => known === pointText);
    if (action === undefined || point === undefined || Number(count) < 1) {
      throw new DistqError('config', `setting debug.fault cannot be "${text}"`, {
        hint: `give <${ACTIONS.join('|')}>@<${POINTS.join('|')}>:<n>[/<process>]`,
      });
    }
    const isElsewhere = only !== undefined && Number(only) !== processIndex;
    if (isElsewhere || (action === 'kill' && !mayKill)) return new FaultInjector(null, null, 0);
    return new FaultInjector(action, point, Number(count));
  }

  /** As `at`, for a batch that is handed over inside the process: what needs a connection does not count it. */
  atLocal(...points: readonly FaultPoint[]): Exclude<FaultAction, 'close' | 'truncate'> | null {
    if (this.#action === 'close' || this.#action === 'truncate') return null;
    return this.at(...points) === null ? null : this.#action;
  }

  /** Counts one passing by; gives the action when its time has come. */
  at(...points: readonly FaultPoint[]): FaultAction | null {
    if (this.#point === null || !points.includes(this.#point)) return null;
    this.#left--;
    return this.#left === 0 ? this.#action : null;
  }
}

/** What `throw` throws. */
export function injectedError(where: string): DistqError {
  return new DistqError('execution', `injected fault (debug.fault) at ${where}`);
}
