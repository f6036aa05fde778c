import type { CancelScope } from '../../base/cancel-scope.js';
import { type Deferred, deferred } from '../../base/deferred.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { TaskFeed } from '../../distributed/feed-leaves.js';
import { taskNodes } from '../../distributed/task-nodes.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { DistributedTaskContext, WorkUnits } from '../../physical/task-context.js';

/** Units that were used up within this time were too few to hide the way to the coordinator. */
const QUICK_MS = 2;

interface Taken {
  readonly unit: EncodedValue;
}

export interface TaskFeedsOptions {
  readonly plan: ExecutionPlan;
  readonly task: DistributedTaskContext;
  readonly feeds: readonly TaskFeed[];
  readonly config: SessionConfig;
  /** Asks the coordinator for units. */
  readonly demand: (feed: number, count: number) => void;
  /** Tells it that this task takes no more. */
  readonly leave: (feed: number) => void;
}

/** The feeds of one task. */
export class TaskFeeds {
  readonly #readers = new Map<number, FeedReader>();
  readonly #ofNode = new Map<ExecutionPlan, FeedReader>();

  constructor({ plan, task, feeds, config, demand, leave }: TaskFeedsOptions) {
    if (feeds.length === 0) return;
    const most = config.get('distq.work_unit_credits');
    const nodes = taskNodes(plan, task);
    for (const { id, node } of feeds) {
      const reader = new FeedReader({
        most,
        demand: (count) => {
          demand(id, count);
        },
        leave: () => {
          leave(id);
        },
      });
      this.#readers.set(id, reader);
      const leaf = nodes[node]?.node;
      if (leaf !== undefined) this.#ofNode.set(leaf, reader);
    }
  }

  readonly of = (leaf: ExecutionPlan): WorkUnits | null => this.#ofNode.get(leaf) ?? null;

  receive(feed: number, units: readonly EncodedValue[], ended: boolean): void {
    this.#readers.get(feed)?.receive(units, ended);
  }

  /** The task reads no more. */
  close(): void {
    for (const reader of this.#readers.values()) reader.close();
  }
}

interface FeedReaderOptions {
  /** Most units asked for at once. */
  readonly most: number;
  readonly demand: (count: number) => void;
  readonly leave: () => void;
}

/**
 * A task's end of a feed: what the partitions of its leaf take from. It asks when it has nothing left, so that a slow task holds next to
 * nothing; a task that uses units up at once asks for more at a time, up to `distq.work_unit_credits`, and for fewer when it slows down.
 */
export class FeedReader implements WorkUnits {
  readonly #options: FeedReaderOptions;
  readonly #units: EncodedValue[] = [];
  readonly #waiting: Deferred<Taken | undefined>[] = [];
  #credits = 1;
  #asked = false;
  #receivedMs = 0;
  #over = false;

  constructor(options: FeedReaderOptions) {
    this.#options = options;
  }

  async next(scope: CancelScope): Promise<Taken | undefined> {
    scope.throwIfCancelled();
    if (this.#units.length > 0) return this.#take();
    if (this.#over) return undefined;
    const turn = deferred<Taken | undefined>();
    this.#waiting.push(turn);
    this.#ask();
    try {
      return await scope.wait(turn.promise);
    } catch (error) {
      const index = this.#waiting.indexOf(turn);
      if (index >= 0) this.#waiting.splice(index, 1);
      // It came at the same moment: somebody else shall have it.
      else this.#giveBack(await turn.promise);
      throw error;
    }
  }

  receive(units: readonly EncodedValue[], ended: boolean): void {
    if (this.#over) return;
    this.#asked = false;
    this.#receivedMs = performance.now();
    this.#units.push(...units);
    if (ended) this.#over = true;
    this.#serve();
    if (this.#waiting.length > 0) this.#ask();
  }

  close(): void {
    const wasOver = this.#over;
    this.#over = true;
    this.#units.length = 0;
    this.#serve();
    if (!wasOver) this.#options.leave();
  }

  #take(): Taken | undefined {
    const unit = this.#units.shift();
    return unit === undefined ? undefined : { unit };
  }

  #serve(): void {
    while (this.#waiting.length > 0 && (this.#units.length > 0 || this.#over)) {
      this.#waiting.shift()?.resolve(this.#take());
    }
  }

  #giveBack(taken: Taken | undefined): void {
    if (taken === undefined) return;
    this.#units.unshift(taken.unit);
    this.#serve();
  }

  #ask(): void {
    if (this.#asked || this.#over) return;
    this.#asked = true;
    const wasQuick = this.#receivedMs > 0 && performance.now() - this.#receivedMs < QUICK_MS;
    this.#credits = wasQuick
      ? Math.min(this.#options.most, this.#credits * 2)
      : Math.max(1, Math.floor(this.#credits / 2));
    this.#options.demand(Math.max(this.#credits, this.#waiting.length));
  }
}
