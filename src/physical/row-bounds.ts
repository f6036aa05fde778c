import { compareBounds, type RowBound } from '../columnar/rows/row-bound.js';

/** What a process has found out about a dynamic filter: a row is of use only if one of the bounds says so. */
export interface RowBoundsUpdate {
  /** The dynamic filter's id. */
  readonly id: number;
  readonly bounds: readonly RowBound[];
}

/** Other processes are told of a filter at most this often, and never of longer values. */
const TELL_EVERY_MS = 50;
const MAX_TOLD_BYTES = 4_096;

interface Shared {
  bounds: readonly RowBound[];
  /** Other processes know these. */
  told: readonly RowBound[] | null;
  toldMs: number;
}

/**
 * The bounds that a query's TopK sorts and min/max aggregates have reached, for scans in whatever task they run, in one process.
 * Bounds only tighten. Which rows a scan drops by them depends on timing, the rows of the result do not.
 */
export class RowBounds {
  readonly #filters = new Map<number, Shared>();
  /** Tells the query's other processes; null when there are none. */
  readonly #tell: ((update: RowBoundsUpdate) => void) | null;
  readonly #now: () => number;

  constructor(
    tell: ((update: RowBoundsUpdate) => void) | null = null,
    now: () => number = (): number => performance.now(),
  ) {
    this.#tell = tell;
    this.#now = now;
  }

  /** The tightest bounds so far, or null; the same array until they change. */
  current(id: number): readonly RowBound[] | null {
    const filter = this.#filters.get(id);
    if (filter === undefined) return null;
    this.#tellIfDue(id, filter);
    return filter.bounds;
  }

  /** Takes bounds that were reached here. */
  publish({ id, bounds }: RowBoundsUpdate): void {
    this.#tellIfDue(id, this.#tighten(id, bounds));
  }

  /** Takes bounds from another process. */
  receive({ id, bounds }: RowBoundsUpdate): void {
    const known = this.#filters.get(id)?.bounds;
    // The processes have the same plan; what does not fit it is of no use.
    if (known !== undefined && known.length !== bounds.length) return;
    const filter = this.#tighten(id, bounds);
    if (filter.bounds === bounds) filter.told = bounds;
  }

  #tighten(id: number, bounds: readonly RowBound[]): Shared {
    let filter = this.#filters.get(id);
    if (filter === undefined) {
      filter = { bounds, told: null, toldMs: -Infinity };
      this.#filters.set(id, filter);
    } else {
      filter.bounds = tighter(filter.bounds, bounds);
    }
    return filter;
  }

  #tellIfDue(id: number, filter: Shared): void {
    if (this.#tell === null || filter.told === filter.bounds) return;
    const now = this.#now();
    if (now - filter.toldMs < TELL_EVERY_MS) return;
    filter.told = filter.bounds;
    if (valueBytes(filter.bounds) > MAX_TOLD_BYTES) return;
    filter.toldMs = now;
    this.#tell({ id, bounds: filter.bounds });
  }
}

/**
 * The same for one task. What the task itself has reached is strict: a row that ties with it changes nothing, since the rows that
 * reached it go the same way. Bounds of other tasks keep ties, so that a task which computes the same as another one loses nothing.
 */
export class TaskRowBounds {
  readonly #query: RowBounds;
  readonly #own = new Map<number, readonly RowBound[]>();
  readonly #combined = new Map<
    number,
    { own: readonly RowBound[]; shared: readonly RowBound[] | null; bounds: readonly RowBound[] }
  >();

  constructor(query: RowBounds) {
    this.#query = query;
  }

  /** The bounds by which the task's scans may drop rows, or null; the same array until they change. */
  current(id: number): readonly RowBound[] | null {
    const shared = this.#query.current(id);
    const own = this.#own.get(id);
    if (own === undefined) return shared;
    const known = this.#combined.get(id);
    if (known?.own === own && known.shared === shared) return known.bounds;
    const bounds = shared === null ? own : tighter(own, shared);
    this.#combined.set(id, { own, shared, bounds });
    return bounds;
  }

  /** Takes bounds that a partition of the task has reached; they need not be tighter than those before. */
  publish(id: number, bounds: readonly RowBound[]): void {
    const before = this.#own.get(id);
    const own = before === undefined ? bounds : tighter(before, bounds);
    if (own === before) return;
    this.#own.set(id, own);
    this.#query.publish({ id, bounds: own.map((bound) => ({ ...bound, inclusive: true })) });
  }
}

/** The tighter of the bounds one by one; `a` itself when none of `b` is tighter. */
function tighter(a: readonly RowBound[], b: readonly RowBound[]): readonly RowBound[] {
  const merged = a.map((bound, index) => (compareBounds(b[index]!, bound) < 0 ? b[index]! : bound));
  if (merged.every((bound, index) => bound === a[index])) return a;
  return merged.every((bound, index) => bound === b[index]) ? b : merged;
}

function valueBytes(bounds: readonly RowBound[]): number {
  let bytes = 0;
  for (const { keys } of bounds) {
    for (const { value } of keys) bytes += value instanceof Uint8Array ? value.length : 16;
  }
  return bytes;
}
