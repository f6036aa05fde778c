/**
 * Sends control messages one after the other: the next one goes out when the previous one's callback fired. Handing everything over at
 * once would pile it up inside the channel of a peer that computes (engine rule 11.7), and order among callbacks would be lost.
 */
export class ControlSender {
  readonly #transmit: (bytes: Uint8Array, sent: (error: Error | null) => void) => void;
  readonly #queue: { readonly bytes: Uint8Array; readonly done: () => void }[] = [];
  #busy = false;

  constructor(transmit: (bytes: Uint8Array, sent: (error: Error | null) => void) => void) {
    this.#transmit = transmit;
  }

  /** Messages that are waiting: progress is not sent while there are any. */
  get backlog(): number {
    return this.#queue.length + (this.#busy ? 1 : 0);
  }

  /** Settles when the message is out, or can no longer be sent. Never rejects: the peer's end is told otherwise. */
  send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push({ bytes, done: resolve });
      this.#next();
    });
  }

  #next(): void {
    if (this.#busy) return;
    const message = this.#queue.shift();
    if (message === undefined) return;
    this.#busy = true;
    const settle = (): void => {
      this.#busy = false;
      message.done();
      this.#next();
    };
    try {
      this.#transmit(message.bytes, settle);
    } catch {
      // The channel closed between the check and the call.
      settle();
    }
  }
}
