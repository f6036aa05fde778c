import type { CancelScope } from './cancel-scope.js';
import { asDistqError, type DistqError } from './errors.js';

/**
 * Work that runs on its own beside the streams (a fan-out's pump, a collected build side).
 * Storing a bare promise would turn an early failure into an unhandled rejection; a Job catches at birth and hands the error to
 * everyone who asks for the result.
 */
export class Job<T> {
  readonly #result: Promise<T>;
  #error: DistqError | undefined;

  private constructor(run: () => Promise<T>, scope: CancelScope) {
    this.#result = (async () => {
      scope.throwIfCancelled();
      return await run();
    })().catch((error: unknown) => {
      this.#error = asDistqError(error);
      throw this.#error;
    });
    this.#result.catch(() => undefined);
    scope.drain(this.#result);
  }

  static start<T>(run: () => Promise<T>, scope: CancelScope): Job<T> {
    return new Job(run, scope);
  }

  /** The failure, once the job has failed. */
  get error(): DistqError | undefined {
    return this.#error;
  }

  /** The job's result; waits no longer than the asking scope lives. */
  result(scope: CancelScope): Promise<T> {
    return scope.wait(this.#result);
  }
}
