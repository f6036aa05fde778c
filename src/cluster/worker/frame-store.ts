import { BLOCK_BYTES } from '../../columnar/block-allocator.js';
import { heap } from '../../columnar/heap.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';

const LARGEST_SHARED_BYTES = 1024 * 1024;
const ALIGNMENT = 64;
/** Kernels may read so far behind a buffer. */
const PADDING = 64;

/** A heap block that frames share. */
interface FrameBlock {
  readonly address: number;
  readonly bytes: number;
  used: number;
  frames: number;
}

/** Where a frame lies; `release` takes it back. */
export interface StoredFrame {
  readonly address: number;
  readonly block: FrameBlock;
}

/**
 * Memory for the frames that wait in one partition's queue. Small frames share blocks, so that a thousand of a hundred bytes do not take
 * 16 KiB each; frames come and go in order, so a block is free once its last frame went. Nothing is held before the first frame.
 */
export class FrameStore {
  readonly #memory: MemoryConsumer;
  readonly #blocks = new Set<FrameBlock>();
  #current: FrameBlock | null = null;
  #heldBytes = 0;

  constructor(memory: MemoryConsumer) {
    this.#memory = memory;
  }

  /** Bytes of blocks held. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  allocate(bytes: number): StoredFrame {
    const needed = bytes + PADDING;
    let block = this.#current;
    if (block === null || block.used + needed > block.bytes) block = this.#grow(needed);
    const address = block.address + block.used;
    block.used = Math.ceil((block.used + needed) / ALIGNMENT) * ALIGNMENT;
    block.frames++;
    return { address, block };
  }

  release({ block }: StoredFrame): void {
    block.frames--;
    if (block.frames > 0 || !this.#blocks.has(block)) return;
    if (this.#current === block && block.bytes <= LARGEST_SHARED_BYTES) block.used = 0;
    else this.#free(block);
  }

  close(): void {
    for (const block of this.#blocks) this.#free(block);
  }

  #grow(needed: number): FrameBlock {
    if (this.#current?.frames === 0) this.#free(this.#current);
    const shared = Math.min(LARGEST_SHARED_BYTES, Math.max(BLOCK_BYTES, this.#heldBytes));
    let bytes = BLOCK_BYTES;
    while (bytes < Math.max(needed, shared)) bytes *= 2;
    this.#memory.grow(bytes);
    let address: number;
    try {
      address = heap.allocateBlock(bytes);
    } catch (error) {
      this.#memory.shrink(bytes);
      throw error;
    }
    this.#heldBytes += bytes;
    this.#current = { address, bytes, used: 0, frames: 0 };
    this.#blocks.add(this.#current);
    return this.#current;
  }

  #free(block: FrameBlock): void {
    heap.releaseBlock(block.address);
    this.#memory.shrink(block.bytes);
    this.#heldBytes -= block.bytes;
    this.#blocks.delete(block);
    if (this.#current === block) this.#current = null;
  }
}
