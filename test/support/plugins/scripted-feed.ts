/**
 * A plug-in for tests, written in TypeScript against the exported types: `scripted('{"count": 10, …}')` is a leaf whose feed and whose
 * tasks do what the script says. What the provider does is told in `observed`, to whoever imports this module in the same process.
 */
import type { LeafContext, PlainRow, PluginApi, PluginTable, WorkUnit } from '../../../src/session/index.js';

export interface Script {
  readonly count: number;
  /** This task takes `slowMs` for a unit, the others none. */
  readonly slowTask?: number;
  readonly slowMs?: number;
  /** Every task takes so long. */
  readonly everyMs?: number;
  readonly queue?: number;
  /** The provider throws in the place of this unit. */
  readonly failAt?: number;
  /** This unit is a function. */
  readonly badAt?: number;
  /** The process of this task kills itself at its first unit. */
  readonly dieTask?: number;
  /** The provider waits for ever in the place of this unit. */
  readonly hangAt?: number;
  /** Rows of this task's first unit throw. */
  readonly throwTask?: number;
}

/** The provider's side of the last run. */
export const observed = {
  given: 0,
  /** Units that tasks of this process began with. */
  begun: 0,
  /** Most units that were given and not begun. */
  lead: 0,
  returned: 0,
  aborted: false,
};

export function resetObserved(): void {
  observed.given = 0;
  observed.returned = 0;
  observed.begun = 0;
  observed.lead = 0;
  observed.aborted = false;
}

function parse(script: unknown): Script {
  if (typeof script !== 'string') throw new Error('a script is a text');
  return JSON.parse(script) as Script;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

export default (distq: PluginApi): void => {
  const { DistqError, field, LeafExec, Schema, types } = distq;

  const schema = new Schema([
    field('unit', types.Int64, false),
    field('task', types.Int32, false),
    field('worker', types.Utf8View, false),
    field('process', types.Int64, false),
  ]);

  async function* units(script: Script, signal: AbortSignal): AsyncGenerator<WorkUnit, void, undefined> {
    signal.addEventListener('abort', () => {
      observed.aborted = true;
    });
    try {
      for (let unit = 0; unit < script.count; unit++) {
        if (unit === script.failAt) throw new DistqError('data_source', `page ${unit} is gone`);
        if (unit === script.hangAt) await new Promise(() => undefined);
        observed.given++;
        observed.lead = Math.max(observed.lead, observed.given - observed.begun);
        const bad = { callback: (): void => undefined };
        // A value that a type checker would refuse, as plain JavaScript may give it.
        yield unit === script.badAt ? (Object.assign({}, bad) as object as WorkUnit) : { unit };
      }
    } finally {
      observed.returned++;
    }
  }

  class ScriptedExec extends LeafExec {
    readonly script: Script;

    constructor(script: Script) {
      super({
        name: 'ScriptedExec',
        schema,
        // With one partition a plan has no exchange.
        partitions: 2,
        feed: distq.workUnitFeed({
          units: ({ signal }) => units(script, signal),
          ...(script.queue === undefined ? {} : { queue: script.queue }),
        }),
      });
      this.script = script;
    }

    text(): string {
      return `script=${JSON.stringify(this.script)}`;
    }

    override async *rows(_partition: number, context: LeafContext): AsyncGenerator<PlainRow[], void, undefined> {
      const { slowTask, slowMs = 0, everyMs = 0, dieTask, throwTask } = this.script;
      for await (const taken of context.units()) {
        const { unit } = taken as { unit: number };
        observed.begun++;
        if (context.taskIndex === dieTask) process.kill(process.pid, 'SIGKILL');
        if (context.taskIndex === throwTask) throw new Error('no luck');
        const ms = context.taskIndex === slowTask ? slowMs : everyMs;
        if (ms > 0) await sleep(ms, context.signal);
        yield [{ unit, task: context.taskIndex, worker: context.worker, process: process.pid }];
      }
    }
  }

  distq.registerNodeCodec({
    leaf: ScriptedExec,
    name: 'ScriptedExec',
    encode: ({ script }) => ({ script: JSON.stringify(script) }),
    decode: ({ script }) => new ScriptedExec(parse(script)),
  });
  distq.registerTableFunction('scripted', (script): PluginTable => {
    const parsed = parse(script);
    return { schema, scan: () => new ScriptedExec(parsed) };
  });
  distq.desiredTaskCount((node, { workerCount }) => (node instanceof ScriptedExec ? workerCount : undefined));
};
