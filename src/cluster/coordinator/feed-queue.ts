import { invariant } from '../../base/errors.js';
import type { WorkUnit } from '../../physical/leaf/work-unit-feed.js';

export interface FeedQueueOptions {
  /** Starts the provider; called at the first demand. */
  readonly open: () => AsyncIterator<unknown> | Iterator<unknown>;
  /** Says what a provider's unit is, or throws. */
  readonly check: (unit: unknown, index: number) => WorkUnit;
  /** Units that may wait here. */
  readonly bound: number;
  /** The tasks that take from it. */
  readonly tasks: readonly number[];
  /** Gives a task units; with `ended` it gets no more. */
  readonly grant: (task: number, units: readonly WorkUnit[], ended: boolean) => void;
  /** The provider failed; `task` is one that was waiting. */
  readonly fail: (error: unknown, task: number) => void;
}

interface Demand {
  readonly task: number;
  readonly count: number;
}

/**
 * One feed in the coordinator: a bounded queue between its provider and the tasks. Nothing is pulled before a task asks, and never more
 * than the queue has room for; a task gets units only for what it asked, oldest demand first, and no more than an even share of what
 * lies here, so that nobody hoards while others wait.
 */
export class FeedQueue {
  readonly #options: FeedQueueOptions;
  readonly #units: WorkUnit[] = [];
  readonly #demands: Demand[] = [];
  readonly #open: Set<number>;
  #iterator: AsyncIterator<unknown> | Iterator<unknown> | undefined;
  #pulled = 0;
  #taken = 0;
  #pulling = false;
  #ended = false;
  #closed = false;
  /** Who asked last: a failure of the provider is told of a task that was waiting, or of this one. */
  #lastTask = 0;

  constructor(options: FeedQueueOptions) {
    invariant(options.bound >= 1, 'a queue holds at least one unit');
    this.#options = options;
    this.#open = new Set(options.tasks);
  }

  /** Units that the provider gave. */
  get pulled(): number {
    return this.#pulled;
  }

  /** Units that went to tasks. */
  get taken(): number {
    return this.#taken;
  }

  /** A task asks for units. */
  demand(task: number, count: number): void {
    if (this.#closed) return;
    this.#lastTask = task;
    this.#demands.push({ task, count: Math.max(1, count) });
    this.#serve();
    this.#pull();
  }

  /** A task wants no more, whether it had all or not. With the last one the provider is closed. */
  leave(task: number): Promise<void> {
    this.#open.delete(task);
    for (let index = this.#demands.length - 1; index >= 0; index--) {
      if (this.#demands[index]?.task === task) this.#demands.splice(index, 1);
    }
    return this.#open.size === 0 ? this.close() : Promise.resolve();
  }

  /** Nobody wants more: the provider is told, unless it has ended. Settles when it has closed itself. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#units.length = 0;
    this.#demands.length = 0;
    if (this.#iterator === undefined || this.#ended) return;
    try {
      await this.#iterator.return?.();
    } catch {
      // Clean-up of somebody else's; the query's outcome is known.
    }
  }

  #serve(): void {
    while (this.#demands.length > 0 && (this.#units.length > 0 || this.#ended)) {
      const demand = this.#demands.shift();
      if (demand === undefined) return;
      const share = Math.max(1, Math.ceil(this.#units.length / Math.max(1, this.#open.size)));
      const units = this.#units.splice(0, Math.min(demand.count, share));
      this.#taken += units.length;
      this.#options.grant(demand.task, units, this.#ended && this.#units.length === 0);
    }
  }

  #pull(): void {
    if (this.#pulling || this.#ended || !this.#wantsMore()) return;
    this.#pulling = true;
    void this.#run();
  }

  /** Fills the queue, one unit after the other. Never rejects: failures go to `fail`. */
  async #run(): Promise<void> {
    try {
      this.#iterator ??= this.#options.open();
      while (this.#wantsMore()) {
        const result = await this.#iterator.next();
        if (this.#isClosed()) return;
        if (result.done === true) {
          this.#ended = true;
          this.#serve();
          return;
        }
        const unit = this.#options.check(result.value, this.#pulled);
        this.#pulled++;
        this.#units.push(unit);
        this.#serve();
      }
    } catch (error) {
      if (this.#isClosed()) return;
      this.#options.fail(error, this.#demands[0]?.task ?? this.#lastTask);
      void this.close();
    } finally {
      // At once: a demand that comes right behind must find that nobody pulls.
      this.#pulling = false;
    }
  }

  /** Functions, since the compiler cannot know that others assign while one awaits. */
  #isClosed(): boolean {
    return this.#closed;
  }

  #wantsMore(): boolean {
    return !this.#closed && this.#units.length < this.#options.bound;
  }
}
