import { Arena } from '../columnar/arena.js';
import { DistqError } from '../base/errors.js';
import type { MemoryConsumer } from '../columnar/memory-pool.js';
import { KeySet, type KeySetImage } from '../columnar/rows/key-set.js';

/** What one task's partition of a join has found out about its build keys; null for keys that are no integers. */
export interface KeyFilterPart {
  /** The dynamic filter's id. */
  readonly id: number;
  /** Which of how many parts, from 0. */
  readonly part: number;
  readonly parts: number;
  readonly keys: readonly (KeySetImage | null)[];
}

interface Filter {
  readonly parts: Map<number, readonly (KeySet | null)[]>;
  complete: readonly (KeySet | null)[] | null;
}

/**
 * The build keys of a query's joins, for the scans below their probe sides, in one process. A join that is spread over tasks and
 * partitions gives parts; a filter holds once all of them are here, and until then every row passes: nobody ever waits for one. Which
 * rows a scan drops by it depends on timing, the rows that reach the join's output do not.
 */
export class KeyFilters {
  readonly #filters = new Map<number, Filter>();
  readonly #memory: MemoryConsumer | undefined;
  readonly #arena: Arena;
  /** Tells the query's other processes; null when there are none. */
  readonly #tell: ((part: KeyFilterPart) => void) | null;
  #freed = false;

  constructor(memory?: MemoryConsumer, tell: ((part: KeyFilterPart) => void) | null = null) {
    this.#memory = memory;
    this.#arena = new Arena(memory);
    this.#tell = tell;
  }

  /** The distinct build keys of a join, per key (null = unknown), once they are known in full. The same array every time. */
  keySets(id: number): readonly (KeySet | null)[] | null {
    return this.#filters.get(id)?.complete ?? null;
  }

  /** Whether a part is still missing. */
  wants(id: number, part: number): boolean {
    const filter = this.#filters.get(id);
    return !this.#freed && filter?.complete == null && filter?.parts.has(part) !== true;
  }

  /** Takes a part that was made here; its sets lie in the arena that `make` is given. Memory that is short only costs the filter. */
  async publish(
    { id, part, parts }: Pick<KeyFilterPart, 'id' | 'part' | 'parts'>,
    make: (arena: Arena) => Promise<readonly (KeySet | null)[]>,
  ): Promise<void> {
    try {
      const keys = await make(this.#arena);
      if (keys.every((key) => key === null) || !this.wants(id, part)) return;
      this.#put(id, part, parts, keys);
      this.#tell?.({ id, part, parts, keys: keys.map((key) => key?.image() ?? null) });
    } catch (error) {
      if (!isShortOfMemory(error)) throw error;
    }
  }

  /** Takes a part from another process. */
  receive({ id, part, parts, keys }: KeyFilterPart): void {
    if (!this.wants(id, part)) return;
    try {
      const sets = keys.map((key) => (key === null ? null : KeySet.fromImage(key, this.#arena)));
      this.#put(id, part, parts, sets);
    } catch (error) {
      if (!isShortOfMemory(error)) throw error;
    }
  }

  #put(id: number, part: number, parts: number, keys: readonly (KeySet | null)[]): void {
    let filter = this.#filters.get(id);
    if (filter === undefined) {
      filter = { parts: new Map(), complete: null };
      this.#filters.set(id, filter);
    }
    filter.parts.set(part, keys);
    if (filter.parts.size < parts) return;
    const all = [...filter.parts.values()];
    filter.complete = keys.map((_, index) => {
      const sets = all.map((one) => one[index] ?? null);
      const known = sets.filter((set) => set !== null);
      return known.length === sets.length ? KeySet.union(known, this.#arena) : null;
    });
  }

  /** Gives the memory back; nobody asks any more. */
  free(): void {
    this.#freed = true;
    this.#filters.clear();
    this.#arena.free();
    this.#memory?.release();
  }
}

function isShortOfMemory(error: unknown): boolean {
  return error instanceof DistqError && error.kind === 'resources_exhausted';
}
