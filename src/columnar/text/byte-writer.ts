import { heap } from '../heap.js';

const CHUNK_BYTES = 64 * 1024;

/**
 * Collects output bytes in chunks of 64 KiB. Whoever owns the destination takes the full chunks away between rows, so nothing
 * piles up here; a taken chunk is never written again, which asynchronous writes rely on.
 */
export class ByteWriter {
  #chunk: Buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #used = 0;
  #full: Buffer[] = [];
  #fullBytes = 0;

  /** Bytes in finished chunks. */
  get readyBytes(): number {
    return this.#fullBytes;
  }

  /** The finished chunks, and with `all` the unfinished one too. */
  take(all: boolean): Buffer[] {
    if (all && this.#used > 0) this.#seal();
    const taken = this.#full;
    this.#full = [];
    this.#fullBytes = 0;
    return taken;
  }

  byte(value: number): void {
    if (this.#used === this.#chunk.length) this.#seal();
    this.#chunk[this.#used] = value;
    this.#used++;
  }

  /** Text of code points below 128 only. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#used += this.#chunk.write(text, this.#used, 'latin1');
  }

  /** Any text, as UTF-8. */
  utf8(text: string): void {
    this.#reserve(text.length * 3);
    this.#used += this.#chunk.write(text, this.#used, 'utf8');
  }

  /** `length` bytes of the engine memory. */
  heapBytes(address: number, length: number): void {
    this.#reserve(length);
    this.#chunk.set(heap.u8.subarray(address, address + length), this.#used);
    this.#used += length;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#chunk.length) return;
    this.#seal();
    if (bytes > this.#chunk.length) this.#chunk = Buffer.allocUnsafe(bytes);
  }

  #seal(): void {
    if (this.#used > 0) {
      this.#full.push(this.#chunk.subarray(0, this.#used));
      this.#fullBytes += this.#used;
    }
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#used = 0;
  }
}
