import { ControlSender } from './control-sender.js';

/** How often a worker that computes looks whether its parent is still there. */
const PARENT_CHECK_MS = 250;

/** A worker's side of its control channel, and everything that ends a worker. */
export class ParentChannel {
  readonly #sender: ControlSender;
  readonly #parent = process.ppid;
  #checkedAt = performance.now();
  #onGone: (parent: number) => void = () => undefined;
  #ending = false;

  /** First thing in a worker: from here on Ctrl-C in its process group is the coordinator's business. */
  constructor(onMessage: (bytes: Uint8Array) => void) {
    process.on('SIGINT', () => undefined);
    this.#sender = new ControlSender((bytes, sent) => {
      if (process.send === undefined) throw new Error('not a worker');
      process.send(bytes, undefined, undefined, sent);
    });
    process.on('disconnect', () => {
      this.#gone();
    });
    process.on('message', (message) => {
      if (message instanceof Uint8Array) onMessage(message);
    });
  }

  get backlog(): number {
    return this.#sender.backlog;
  }

  /** Settles when the message has left this process: only then may it exit (engine rule 4.8). */
  send(bytes: Uint8Array): Promise<void> {
    return this.#sender.send(bytes);
  }

  /** Sets what is cleaned up when the parent is gone; the process then exits. */
  onParentGone(cleanUp: (parent: number) => void): void {
    this.#onGone = cleanUp;
  }

  /**
   * Called in the pace path: a loop that never frees the event loop sees no `disconnect`, but its parent's id changes.
   * `process.ppid` costs 0.4 µs and is asked every 250 ms.
   */
  readonly checkParent = (): void => {
    const now = performance.now();
    if (now - this.#checkedAt < PARENT_CHECK_MS) return;
    this.#checkedAt = now;
    if (process.ppid !== this.#parent) this.#gone();
  };

  /** Ends the process because the parent said so: what it shares with others is the parent's to remove. */
  leave(): void {
    this.#ending = true;
    process.exit(0);
  }

  #gone(): void {
    if (this.#ending) return;
    this.#ending = true;
    try {
      this.#onGone(this.#parent);
    } finally {
      process.exit(0);
    }
  }
}
