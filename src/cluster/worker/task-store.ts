import type { CancelScope } from '../../base/cancel-scope.js';
import { type Deferred, deferred } from '../../base/deferred.js';
import { DistqError } from '../../base/errors.js';
import type { QueryId, StageId } from '../../base/ids.js';

/** How long a request waits for its task's plan. */
const PLAN_WAIT_MS = 10_000;
/** Queries that are over and remembered, so that a request that comes late is refused and leaves nothing behind. */
const REMEMBERED_QUERIES = 256;

/**
 * The tasks of a process by key. A cell is written once: by the plan, or by the failure to accept it. Plan and first request come in any
 * order, since control and data are separate channels (engine rule 11.6); whoever comes first makes the cell.
 *
 * L2 of the trap list cannot happen: cells do not expire, they live until their query is over; a request for a query that is over
 * makes no cell.
 */
export class TaskStore<T> {
  readonly #queries = new Map<QueryId, Map<string, Deferred<T>>>();
  readonly #over = new Set<QueryId>();

  /** Writes a task's cell. A second time is a `protocol` error. */
  put(query: QueryId, stage: StageId, task: number, value: T): void {
    this.#write(query, stage, task).resolve(value);
  }

  /** The failure that everybody who asks for the task gets. */
  fail(query: QueryId, stage: StageId, task: number, error: DistqError): void {
    this.#write(query, stage, task).reject(error);
  }

  readonly #written = new WeakSet<Deferred<T>>();

  #write(query: QueryId, stage: StageId, task: number): Deferred<T> {
    if (this.#over.has(query)) throw new DistqError('protocol', `a plan came for query ${query}, which is over`);
    const cell = this.#cell(query, stage, task);
    if (this.#written.has(cell)) {
      throw new DistqError('protocol', `a second plan came for task ${task} of stage ${stage}`);
    }
    this.#written.add(cell);
    return cell;
  }

  /** The task, as soon as its plan is here; at most 10 s. */
  async get(
    query: QueryId,
    stage: StageId,
    task: number,
    scope: CancelScope,
    waitMs: number = PLAN_WAIT_MS,
  ): Promise<T> {
    if (this.#over.has(query)) throw new DistqError('cancelled', `query ${query} is over`);
    const cell = this.#cell(query, stage, task);
    if (this.#written.has(cell)) return await scope.wait(cell.promise);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(
          new DistqError('protocol', `the plan of task ${task} of stage ${stage} did not come within ${waitMs} ms`),
        );
      }, waitMs);
    });
    try {
      return await scope.wait(Promise.race([cell.promise, late]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends a query: those who still wait for a plan are told. */
  close(query: QueryId, reason: DistqError): void {
    this.#over.add(query);
    if (this.#over.size > REMEMBERED_QUERIES) {
      for (const oldest of this.#over) {
        this.#over.delete(oldest);
        break;
      }
    }
    const cells = this.#queries.get(query);
    this.#queries.delete(query);
    for (const cell of cells?.values() ?? []) if (!this.#written.has(cell)) cell.reject(reason);
  }

  /** Cells of all queries, for leak checks. */
  get size(): number {
    let size = 0;
    for (const cells of this.#queries.values()) size += cells.size;
    return size;
  }

  #cell(query: QueryId, stage: StageId, task: number): Deferred<T> {
    let cells = this.#queries.get(query);
    if (cells === undefined) {
      cells = new Map();
      this.#queries.set(query, cells);
    }
    const key = `${stage}/${task}`;
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = deferred();
      cells.set(key, cell);
    }
    return cell;
  }
}
