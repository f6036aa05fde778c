import { DistqError } from '../base/errors.js';
import { BLOCK_BYTES, BlockAllocator } from './block-allocator.js';

/** 65,535 pages of 64 KiB: the largest memory whose end addresses still fit 32 bits. */
const MAX_PAGES = 65_535;
const MIN_PAGES = 4_096;
const PAGE_BYTES = 65_536;

/** The first 64 KiB are never handed out: address 0 means none, and the kernels' static data lives there, from 1,024 on. */
const RESERVED_BYTES = PAGE_BYTES;

/** 64 bytes that are always zero; the validity of a constant null points here. */
export const ZERO_BITMAP = 64;

export interface HeapDebug {
  /** Fill on allocation (0xA5) and on free (0xDD). */
  readonly poison?: boolean;
  /** Hand out addresses from 3 GiB up. */
  readonly highAddresses?: boolean;
  /** Hand freed blocks out first, unmerged. */
  readonly hotReuse?: boolean;
}

/**
 * The process's one WebAssembly memory and views of all of it. The memory is reserved at full size at first use, never grows and
 * never detaches, so the views and every address stay valid for the life of the process.
 *
 * Addresses are unsigned 32-bit numbers held in plain JavaScript numbers; index views with `address >>> shift`.
 */
class Heap {
  readonly memory: WebAssembly.Memory;
  /** True when the memory could not be reserved at full size. */
  readonly reduced: boolean;
  readonly u8: Uint8Array;
  readonly i8: Int8Array;
  readonly u16: Uint16Array;
  readonly i16: Int16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly u64: BigUint64Array;
  readonly i64: BigInt64Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  #blocks: BlockAllocator;
  #poison = false;

  constructor() {
    let pages = MAX_PAGES;
    let memory: WebAssembly.Memory | undefined;
    while (memory === undefined) {
      try {
        memory = new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES });
      } catch (error) {
        if (pages <= MIN_PAGES) {
          throw new DistqError('resources_exhausted', 'no address space for the engine memory (256 MiB were refused)', {
            hint: 'raise the address-space limit (ulimit -v) or start Node with --disable-wasm-trap-handler',
            cause: error,
          });
        }
        pages = Math.max(MIN_PAGES, Math.floor(pages / 2));
      }
    }
    this.memory = memory;
    this.reduced = pages < MAX_PAGES;
    const buffer = memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i8 = new Int8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.#blocks = new BlockAllocator({ start: RESERVED_BYTES, end: alignDown(buffer.byteLength) });
  }

  /** Sets the debug modes; only before anything is allocated. */
  configure(debug: HeapDebug): void {
    if (this.#blocks.usedBytes > 0)
      throw new DistqError('internal', 'heap debug modes are set before the first allocation');
    this.#poison = debug.poison ?? false;
    const end = alignDown(this.memory.buffer.byteLength);
    const high = 3 * 2 ** 30;
    const start = debug.highAddresses === true && end > high + 2 ** 27 ? high : RESERVED_BYTES;
    this.#blocks = new BlockAllocator({ start, end, hotReuse: debug.hotReuse ?? false });
  }

  get poison(): boolean {
    return this.#poison;
  }

  get usedBytes(): number {
    return this.#blocks.usedBytes;
  }

  get capacityBytes(): number {
    return this.#blocks.capacityBytes;
  }

  /** A block of at least `bytes` (16 KiB … 64 MiB, a power of two). Its content is arbitrary. `resources_exhausted` when full. */
  allocateBlock(bytes: number): number {
    const address = this.#blocks.allocate(bytes);
    if (address === 0) {
      throw new DistqError(
        'resources_exhausted',
        `the worker's memory is full: ${this.usedBytes} of ${this.capacityBytes} bytes are in use and ${bytes} more were asked for`,
        { hint: 'use more worker processes (--workers) or a smaller execution.batch_size' },
      );
    }
    if (this.#poison) this.u8.fill(0xa5, address, address + this.#blocks.blockBytes(address));
    return address;
  }

  blockBytes(address: number): number {
    return this.#blocks.blockBytes(address);
  }

  releaseBlock(address: number): void {
    if (this.#poison) this.u8.fill(0xdd, address, address + this.#blocks.blockBytes(address));
    this.#blocks.release(address);
  }
}

function alignDown(bytes: number): number {
  return bytes - (bytes % BLOCK_BYTES);
}

export type { Heap };

/** The process's memory. */
export const heap: Heap = new Heap();

/** A WASM address as an unsigned number: WASM hands out addresses above 2 GiB as negative ones. */
export function addr(value: number): number {
  return value >>> 0;
}
