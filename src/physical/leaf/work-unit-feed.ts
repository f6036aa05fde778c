import { DistqError } from '../../base/errors.js';
import type { EncodedValue } from '../../expr/expr-codec.js';

/** What travels from the coordinator to a leaf: JSON values, bigints and bytes, in lists and plain objects. */
export type WorkUnit = EncodedValue;

/** What a provider knows of the leaf it feeds. */
export interface FeedContext {
  readonly stage: number;
  /** Tasks of the stage that run the leaf. */
  readonly taskCount: number;
  /** Aborted when nobody wants units any more. */
  readonly signal: AbortSignal;
}

export interface WorkUnitFeedOptions {
  /**
   * The units, in order. Called once per query, in the coordinator, when a task first asks; pulled one at a time and only while there
   * is room in the feed's queue. Its `return()` is called when the query needs no more.
   */
  readonly units: (context: FeedContext) => AsyncIterable<WorkUnit> | Iterable<WorkUnit>;
  /** Units that may lie in the coordinator untaken; default: the setting `distq.work_unit_queue`. */
  readonly queue?: number;
}

/**
 * Work that is found while the query runs: the coordinator pulls units from a provider and deals them to the tasks of the leaf's stage
 * as they ask, so that a slow task's share goes to the others. Each unit goes to exactly one task.
 *
 * Source: distributed runtime reference, 5, with its suggested extension: one queue per feed, pulled by demand.
 */
export class WorkUnitFeed {
  readonly units: WorkUnitFeedOptions['units'];
  readonly queue: number | null;

  constructor({ units, queue }: WorkUnitFeedOptions) {
    if (typeof units !== 'function') {
      throw new DistqError('plan', 'a work-unit feed has no units', { hint: 'give workUnitFeed({ units: () => … })' });
    }
    if (queue !== undefined && !(Number.isSafeInteger(queue) && queue >= 1)) {
      throw new DistqError('plan', `the queue of a work-unit feed cannot hold ${queue} units`, {
        hint: 'give an integer of at least 1',
      });
    }
    this.units = units;
    this.queue = queue ?? null;
  }
}
