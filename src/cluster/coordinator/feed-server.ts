import { setMaxListeners } from 'node:events';
import { asDistqError, DistqError } from '../../base/errors.js';
import type { StageId } from '../../base/ids.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { DispatchedStage } from '../../distributed/dispatch.js';
import { type StageFeed, stageFeeds, type TaskFeed, taskFeeds } from '../../distributed/feed-leaves.js';
import { problemOfEncoded } from '../../physical/leaf/encoded-problem.js';
import type { WorkUnit } from '../../physical/leaf/work-unit-feed.js';
import { encodeValue } from '../protocol/value-codec.js';
import { workerName } from '../worker/task-identity.js';
import { FeedQueue } from './feed-queue.js';

/** Units describe work: what is larger belongs where the leaf can fetch it. */
const MAX_UNIT_BYTES = 2 ** 20;

export interface FeedServerOptions {
  readonly config: SessionConfig;
  readonly send: (stage: StageId, task: number, feed: number, units: readonly WorkUnit[], ended: boolean) => void;
  /** Ends the query. */
  readonly fail: (error: DistqError) => void;
}

/** The feeds of one query, in the coordinator: the only process that runs providers. */
export class FeedServer {
  readonly #options: FeedServerOptions;
  readonly #queues = new Map<string, FeedQueue>();
  readonly #abort = new AbortController();

  constructor(options: FeedServerOptions) {
    this.#options = options;
    // How many waits a plug-in hangs on it is its own business, and no warning on the user's stderr (engine rule 4.5).
    setMaxListeners(0, this.#abort.signal);
  }

  /** Takes over the feeds of a stage; gives those of each of its tasks. */
  add(stage: DispatchedStage): TaskFeed[][] {
    const feeds = stageFeeds(stage.plan);
    const taskCount = stage.workers.length;
    if (feeds.length === 0) return stage.workers.map(() => []);
    const ofTasks = stage.workers.map((_, taskIndex) => taskFeeds(stage.plan, { taskIndex, taskCount }));
    for (const feed of feeds) {
      const tasks = ofTasks.flatMap((own, task) => (own.some(({ id }) => id === feed.id) ? [task] : []));
      this.#queues.set(key(stage.id, feed.id), this.#queue(stage, feed, tasks));
    }
    return ofTasks;
  }

  demand(stage: StageId, task: number, feed: number, count: number): void {
    this.#queues.get(key(stage, feed))?.demand(task, count);
  }

  /** A task takes no more of a feed. */
  leave(stage: StageId, task: number, feed: number): void {
    void this.#queues.get(key(stage, feed))?.leave(task);
  }

  /** Ends all feeds; settles when their providers have closed. */
  async close(): Promise<void> {
    const closing = [...this.#queues.values()].map((queue) => queue.close());
    this.#abort.abort();
    await Promise.all(closing);
  }

  #queue(stage: DispatchedStage, { id, leaf, feed }: StageFeed, tasks: readonly number[]): FeedQueue {
    const { config, send, fail } = this.#options;
    const context = { stage: stage.id, taskCount: tasks.length, signal: this.#abort.signal };
    return new FeedQueue({
      open: () => iteratorOf(feed.units(context)),
      check: (unit, index) => checked(unit, index),
      bound: feed.queue ?? config.get('distq.work_unit_queue'),
      tasks,
      grant: (task, units, ended) => {
        send(stage.id, task, id, units, ended);
      },
      fail: (error, task) => {
        const known = error instanceof DistqError ? error : undefined;
        fail(
          new DistqError(
            known?.kind ?? 'execution',
            `${leaf.origin}: the work-unit feed of ${leaf.name} failed: ${asDistqError(error).message}`,
            {
              ...(known?.hint === undefined ? {} : { hint: known.hint }),
              task: { stage: stage.id, task, worker: workerName(stage.workers[task] ?? 0) },
              cause: error,
            },
          ),
        );
      },
    });
  }
}

function key(stage: StageId, feed: number): string {
  return `${stage}/${feed}`;
}

function iteratorOf(units: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof units === 'object' && units !== null) {
    if (Symbol.asyncIterator in units) return (units as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    if (Symbol.iterator in units) return (units as Iterable<unknown>)[Symbol.iterator]();
  }
  throw new DistqError('execution', 'units() gives nothing to iterate over', {
    hint: 'make it a generator: async *units() { yield unit; }',
  });
}

/** `execution` error for what cannot travel. */
function checked(value: unknown, index: number): WorkUnit {
  const problem = problemOfEncoded(value, 'unit');
  if (problem !== null) {
    throw new DistqError('execution', `unit ${index} cannot be sent to a worker: it holds ${problem}`, {
      hint: 'units are JSON values, bigints and bytes; count them from 0',
    });
  }
  // The check above saw that it is one.
  const unit = value as WorkUnit;
  const bytes = encodeValue(unit).length;
  if (bytes > MAX_UNIT_BYTES) {
    throw new DistqError(
      'execution',
      `unit ${index} has ${bytes} bytes, more than the ${MAX_UNIT_BYTES} a unit may have`,
      {
        hint: 'send what the leaf needs to find the data, not the data',
      },
    );
  }
  return unit;
}
