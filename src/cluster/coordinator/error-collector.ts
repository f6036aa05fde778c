import { type Deferred, deferred } from '../../base/deferred.js';
import { type DistqError, ERROR_KINDS } from '../../base/errors.js';

/** How long an error that may be the echo of another is held for a better one. */
const HOLD_MS = 250;

/** `known`: told by the one it happened to, or by the system (a process's end). `echo`: concluded from a broken connection. */
export type ErrorSource = 'known' | 'echo';

interface Reported {
  readonly error: DistqError;
  readonly source: ErrorSource;
}

/**
 * Chooses the error a query fails with. A killed worker shows first as broken connections at its peers; the connection's error is held
 * until the system says what happened, so that the message names the killed worker every time (engine rule 4.6).
 */
export class ErrorCollector {
  readonly #chosen: Deferred<DistqError> = deferred();
  readonly #onFirst: (error: DistqError) => void;
  #best: Reported | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settled = false;

  /** `onFirst` is called with the first error of all, at once: that is when everything else is stopped. */
  constructor(onFirst: (error: DistqError) => void) {
    this.#onFirst = onFirst;
  }

  get failed(): boolean {
    return this.#best !== undefined;
  }

  /** The best so far. */
  get best(): DistqError | undefined {
    return this.#best?.error;
  }

  /** The error to show; settles once no better one is expected. */
  get chosen(): Promise<DistqError> {
    return this.#chosen.promise;
  }

  report(error: DistqError, source: ErrorSource = isTransport(error) ? 'echo' : 'known'): void {
    if (this.#settled) return;
    const reported = { error, source };
    const first = this.#best === undefined;
    if (this.#best === undefined || isBetter(reported, this.#best)) this.#best = reported;
    if (this.#best.source === 'known') this.#settle();
    else {
      this.#timer ??= setTimeout(() => {
        this.#settle();
      }, HOLD_MS);
    }
    if (first) this.#onFirst(error);
  }

  /** The user's own word ends everything and is what is shown, whatever breaks on the way. */
  override(error: DistqError): void {
    if (this.#settled) return;
    const first = this.#best === undefined;
    this.#best = { error, source: 'known' };
    this.#settle();
    if (first) this.#onFirst(error);
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    if (this.#best !== undefined) this.#chosen.resolve(this.#best.error);
  }
}

function isTransport({ kind }: DistqError): boolean {
  return kind === 'worker_lost' || kind === 'protocol' || kind === 'cancelled';
}

function isBetter(candidate: Reported, best: Reported): boolean {
  const difference = ERROR_KINDS[candidate.error.kind].rank - ERROR_KINDS[best.error.kind].rank;
  if (difference !== 0) return difference > 0;
  return candidate.source === 'known' && best.source === 'echo';
}
