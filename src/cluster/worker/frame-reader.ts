import { FRAME_HEADER_BYTES, type FrameHeader, readFrameHeader } from '../protocol/frame.js';

/**
 * Cuts a byte stream into frames. Headers are gathered here; where a payload goes is the receiver's choice, so that batches are copied
 * once, to where they stay.
 */
export interface FrameReceiver {
  /** A header came. Gives where its payload goes, of exactly `payloadBytes`; null = it is not wanted. */
  begin(header: FrameHeader): Uint8Array | null;
  /** The payload is complete. */
  complete(header: FrameHeader): void;
}

export class FrameReader {
  readonly #receiver: FrameReceiver;
  readonly #header = new Uint8Array(FRAME_HEADER_BYTES);
  readonly #headerView = new DataView(this.#header.buffer);
  #headerBytes = 0;
  #frame: FrameHeader | null = null;
  #target: Uint8Array | null = null;
  #received = 0;

  constructor(receiver: FrameReceiver) {
    this.#receiver = receiver;
  }

  /** True between frames: an end of the connection here cuts nothing off. */
  get atBorder(): boolean {
    return this.#headerBytes === 0 && this.#frame === null;
  }

  /** Takes the next bytes of the stream. Malformed headers are `protocol` errors. */
  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#frame === null) {
        const part = bytes.subarray(at, at + FRAME_HEADER_BYTES - this.#headerBytes);
        this.#header.set(part, this.#headerBytes);
        this.#headerBytes += part.length;
        at += part.length;
        if (this.#headerBytes < FRAME_HEADER_BYTES) return;
        this.#headerBytes = 0;
        this.#received = 0;
        const header = readFrameHeader(this.#headerView, 0);
        this.#target = this.#receiver.begin(header);
        this.#frame = header;
      }
      const frame = this.#frame;
      const part = bytes.subarray(at, at + frame.payloadBytes - this.#received);
      this.#target?.set(part, this.#received);
      this.#received += part.length;
      at += part.length;
      if (this.#received < frame.payloadBytes) return;
      this.#frame = null;
      this.#target = null;
      this.#receiver.complete(frame);
    }
  }
}
