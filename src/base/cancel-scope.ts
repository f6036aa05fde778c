import { asDistqError, DistqError } from './errors.js';

type Listener = (reason: DistqError) => void;

/**
 * Where a cancel travels: query → task → stream. Cancelling a scope cancels its children; every wait on something outside the
 * stream tree (credit, frame, timer, file, child process) goes through `wait`, so that no wait outlives a cancel.
 *
 * Leftovers of clean-up that take time are registered with `drain` and awaited, with a deadline, at the end of the query.
 */
export class CancelScope {
  readonly parent: CancelScope | undefined;
  #reason: DistqError | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #leftovers: Set<Promise<void>>;

  constructor(parent?: CancelScope) {
    this.parent = parent;
    this.#leftovers = parent === undefined ? new Set() : parent.#leftovers;
    if (parent !== undefined) {
      if (parent.#reason !== undefined) this.#reason = parent.#reason;
      else parent.#listeners.add(this.#onParent);
    }
  }

  readonly #onParent = (reason: DistqError): void => {
    this.cancel(reason);
  };

  /** A scope that is cancelled with this one. Call `release` on it when its work is over, or it stays registered here. */
  child(): CancelScope {
    return new CancelScope(this);
  }

  /** The reason of the cancel, or undefined while the scope is live. */
  get reason(): DistqError | undefined {
    return this.#reason;
  }

  get cancelled(): boolean {
    return this.#reason !== undefined;
  }

  /** Cancels this scope and everything below. The first reason stays. */
  cancel(reason: DistqError = new DistqError('cancelled', 'cancelled')): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.release();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(reason);
  }

  /** Takes the scope off its parent without cancelling anything. */
  release(): void {
    if (this.parent !== undefined) this.parent.#listeners.delete(this.#onParent);
  }

  throwIfCancelled(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Calls back once on cancel (at once when already cancelled); returns the function that unregisters. */
  onCancel(listener: Listener): () => void {
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The promise's outcome, or the cancel's reason at once when the scope is cancelled first. Unhooks itself either way. */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const unhook = this.onCancel(reject);
      promise.then(
        (value) => {
          unhook();
          resolve(value);
        },
        (error: unknown) => {
          unhook();
          reject(asDistqError(error));
        },
      );
    });
  }

  /** Registers clean-up that goes on after its owner is gone; its failure is swallowed, since the root cause is known elsewhere. */
  drain(leftover: Promise<unknown>): void {
    const settled = leftover.then(
      () => undefined,
      () => undefined,
    );
    this.#leftovers.add(settled);
    void settled.then(() => this.#leftovers.delete(settled));
  }

  /** Waits for registered clean-up of the whole scope tree, at most `deadlineMs`. True when everything had settled. */
  async drained(deadlineMs = 2_000): Promise<boolean> {
    if (this.#leftovers.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        resolve(false);
      }, deadlineMs);
    });
    const all = (async (): Promise<boolean> => {
      while (this.#leftovers.size > 0) await Promise.all(this.#leftovers);
      return true;
    })();
    const done = await Promise.race([all, deadline]);
    clearTimeout(timer);
    return done;
  }
}
