import { DistqError, invariant } from '../base/errors.js';
import { BLOCK_BYTES, MAX_BLOCK_BYTES } from './block-allocator.js';
import { heap } from './heap.js';
import type { MemoryConsumer } from './memory-pool.js';

const MAX_GROWTH_BYTES = 1024 * 1024;
const ALIGNMENT = 64;
const PADDING = 64;

/**
 * Bump allocator over heap blocks (16 KiB growing to 1 MiB; single larger requests get a block of their own).
 * Everything in it is freed together. `reset` keeps the blocks for the next batch; `free` gives them back.
 * Bytes are accounted with the consumer, by block.
 */
export class Arena {
  readonly #consumer: MemoryConsumer | undefined;
  readonly #blocks: { address: number; bytes: number }[] = [];
  #current = -1;
  #offset = 0;
  #heldBytes = 0;

  /** Without a consumer the bytes are not accounted: only for tests and for process-wide scratch. */
  constructor(consumer?: MemoryConsumer) {
    this.#consumer = consumer;
  }

  /** Bytes of heap blocks this arena holds. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Address of `bytes` bytes, 64-byte aligned, followed by at least 64 bytes that may be read; content arbitrary. ≤ 64 MiB − 64. */
  alloc(bytes: number): number {
    return this.#bump(bytes + PADDING, ALIGNMENT);
  }

  allocZeroed(bytes: number): number {
    const address = this.alloc(bytes);
    heap.u8.fill(0, address, address + bytes);
    return address;
  }

  /** Address of `bytes` unaligned, unpadded bytes, for string data: nothing may be read past them. 0 bytes give a valid address. */
  allocBytes(bytes: number): number {
    return this.#bump(Math.max(bytes, 1), 1);
  }

  /** Copies bytes in; returns their address. */
  copyBytes(bytes: Uint8Array): number {
    const address = this.allocBytes(bytes.length);
    heap.u8.set(bytes, address);
    return address;
  }

  /** Forgets everything allocated and keeps the blocks for reuse; drops blocks of its own size over 1 MiB. */
  reset(): void {
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const block = this.#blocks[i]!;
      if (block.bytes > MAX_GROWTH_BYTES) {
        this.#blocks.splice(i, 1);
        this.#release(block);
      } else if (heap.poison) {
        heap.u8.fill(0xdd, block.address, block.address + block.bytes);
      }
    }
    this.#current = this.#blocks.length > 0 ? 0 : -1;
    this.#offset = 0;
  }

  /** Fills everything it holds with one byte: a debug mode. */
  overwrite(byte: number): void {
    for (const block of this.#blocks) heap.u8.fill(byte, block.address, block.address + block.bytes);
  }

  /** Gives all blocks back. The arena may be used again. */
  free(): void {
    for (const block of this.#blocks) this.#release(block);
    this.#blocks.length = 0;
    this.#current = -1;
    this.#offset = 0;
  }

  /** Takes over everything `other` holds: its allocations stay valid and are freed with this arena. */
  adopt(other: Arena): void {
    for (const block of other.#blocks) {
      this.#consumer?.grow(block.bytes);
      other.#consumer?.shrink(block.bytes);
      this.#heldBytes += block.bytes;
    }
    // Before the current block, so that bumping goes on where it was.
    this.#blocks.splice(Math.max(this.#current, 0), 0, ...other.#blocks);
    if (this.#current >= 0) this.#current += other.#blocks.length;
    else if (this.#blocks.length > 0) {
      this.#current = this.#blocks.length - 1;
      this.#offset = this.#blocks[this.#current]!.bytes;
    }
    other.#blocks.length = 0;
    other.#current = -1;
    other.#offset = 0;
    other.#heldBytes = 0;
  }

  #bump(bytes: number, alignment: number): number {
    invariant(bytes >= 0, `an allocation of ${bytes} bytes`);
    if (bytes > MAX_BLOCK_BYTES) {
      throw new DistqError(
        'resources_exhausted',
        `a single value or buffer of ${bytes} bytes passes the limit of 64 MiB`,
      );
    }
    while (this.#current >= 0) {
      const block = this.#blocks[this.#current]!;
      const start = Math.ceil(this.#offset / alignment) * alignment;
      if (start + bytes <= block.bytes) {
        this.#offset = start + bytes;
        return block.address + start;
      }
      if (this.#current + 1 >= this.#blocks.length) break;
      this.#current++;
      this.#offset = 0;
    }
    const growth = Math.min(MAX_GROWTH_BYTES, Math.max(BLOCK_BYTES, this.#heldBytes));
    this.#grow(Math.max(bytes, growth));
    this.#offset = bytes;
    return this.#blocks[this.#current]!.address;
  }

  #grow(minBytes: number): void {
    let bytes = BLOCK_BYTES;
    while (bytes < minBytes) bytes *= 2;
    this.#consumer?.grow(bytes);
    let address: number;
    try {
      address = heap.allocateBlock(bytes);
    } catch (error) {
      this.#consumer?.shrink(bytes);
      throw error;
    }
    this.#heldBytes += bytes;
    this.#blocks.push({ address, bytes });
    this.#current = this.#blocks.length - 1;
    this.#offset = 0;
  }

  #release(block: { address: number; bytes: number }): void {
    heap.releaseBlock(block.address);
    this.#heldBytes -= block.bytes;
    this.#consumer?.shrink(block.bytes);
  }
}
