import { DistqError, invariant } from '../../base/errors.js';
import { Arena } from '../arena.js';
import { BLOCK_BYTES, MAX_BLOCK_BYTES } from '../block-allocator.js';
import { addr, heap } from '../heap.js';
import { kernels } from '../kernels.js';
import type { MemoryConsumer } from '../memory-pool.js';

const ENTRY_BYTES = 8;
/** A piece of this size is split instead of grown: growing and splitting stay well below the 10 ms of a kernel call. */
const SPLIT_BYTES = 1024 * 1024;
/** Deeper than this, equal tags and not size are the trouble. */
const MAX_BITS = 14;
const RECORD_BYTES = 16;

interface Piece {
  /** Address of the piece's record in memory: slots, mask, used, limit. */
  readonly record: number;
  /** How many top bits of the tag its entries share. */
  bits: number;
  slots: number;
  bytes: number;
}

/**
 * The slots of a hash table whose entries are rows: pieces of at most 1 MiB behind a directory by the top bits of the hash, so that
 * growing never touches more than one piece (extendible hashing). The kernels of `kernels/hash-table.ts` work on it.
 */
export class HashDirectory {
  readonly #arena: Arena;
  readonly #consumer: MemoryConsumer | undefined;
  #bits = 0;
  #directory: number;
  #pieces: Piece[];

  /** `expected` entries find room without growing. */
  constructor(expected: number, consumer?: MemoryConsumer) {
    this.#consumer = consumer;
    this.#arena = new Arena(consumer);
    this.#pieces = [];
    this.#directory = 0;
    while (expected / 2 ** this.#bits > limitOf(SPLIT_BYTES) * 0.8 && this.#bits < MAX_BITS) this.#bits++;
    let bytes = BLOCK_BYTES;
    while (bytes < SPLIT_BYTES && expected / 2 ** this.#bits > limitOf(bytes) * 0.8) bytes *= 2;
    try {
      for (let p = 0; p < 2 ** this.#bits; p++) {
        const piece: Piece = { record: this.#arena.alloc(RECORD_BYTES), bits: this.#bits, slots: 0, bytes };
        this.#pieces.push(piece);
        this.#setSlots(piece, this.#allocate(bytes), bytes, 0);
      }
      this.#writeDirectory();
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Address of the directory, for the kernels; changes when the table grows. */
  get address(): number {
    return this.#directory;
  }

  /** The kernels' `shift`. */
  get shift(): number {
    return 31 - this.#bits;
  }

  /** Makes room in the piece whose record the kernel named. */
  makeRoom(record: number): void {
    const piece = this.#pieces.find((candidate) => candidate.record === record);
    invariant(piece !== undefined, 'a kernel named an unknown piece of a hash table');
    if (piece.bytes < SPLIT_BYTES) this.#grow(piece, piece.bytes * 4);
    else if (piece.bits < MAX_BITS) this.#split(piece);
    else if (piece.bytes < MAX_BLOCK_BYTES) this.#grow(piece, piece.bytes * 2);
    else throw new DistqError('resources_exhausted', 'a hash table holds too many keys with equal hashes');
  }

  free(): void {
    for (const piece of new Set(this.#pieces)) {
      if (piece.slots !== 0) this.#release(piece.slots, piece.bytes);
      piece.slots = 0;
    }
    this.#pieces = [];
    this.#arena.free();
  }

  #grow(piece: Piece, bytes: number): void {
    const slots = this.#allocate(bytes);
    kernels.growTable(piece.slots, maskOf(piece.bytes), slots, maskOf(bytes));
    this.#release(piece.slots, piece.bytes);
    this.#setSlots(piece, slots, bytes, heap.u32[(piece.record >>> 2) + 2]!);
  }

  #split(piece: Piece): void {
    const used = heap.u32[(piece.record >>> 2) + 2]!;
    const zeros = this.#allocate(SPLIT_BYTES);
    let ones: number;
    try {
      ones = this.#allocate(SPLIT_BYTES);
    } catch (error) {
      this.#release(zeros, SPLIT_BYTES);
      throw error;
    }
    const moved = kernels.splitTable(
      piece.slots,
      maskOf(piece.bytes),
      31 - piece.bits,
      zeros,
      ones,
      maskOf(SPLIT_BYTES),
    );
    this.#release(piece.slots, piece.bytes);
    const sibling: Piece = { record: this.#arena.alloc(RECORD_BYTES), bits: piece.bits + 1, slots: 0, bytes: 0 };
    piece.bits++;
    this.#setSlots(piece, zeros, SPLIT_BYTES, used - moved);
    this.#setSlots(sibling, ones, SPLIT_BYTES, moved);
    if (piece.bits > this.#bits) {
      this.#bits++;
      this.#pieces = this.#pieces.flatMap((entry) => [entry, entry]);
    }
    // Within the run of directory entries that shared the piece, those whose next bit is set go to the sibling.
    const span = 2 ** (this.#bits - piece.bits);
    const first = this.#pieces.indexOf(piece);
    for (let i = 0; i < span; i++) this.#pieces[first + span + i] = sibling;
    this.#writeDirectory();
  }

  #setSlots(piece: Piece, slots: number, bytes: number, used: number): void {
    piece.slots = slots;
    piece.bytes = bytes;
    heap.u32.set([slots, maskOf(bytes), used, limitOf(bytes)], piece.record >>> 2);
  }

  #writeDirectory(): void {
    if (this.#directory === 0 || this.#pieces.length > this.#directoryEntries) {
      this.#directoryEntries = this.#pieces.length;
      this.#directory = this.#arena.alloc(this.#pieces.length * 4);
    }
    const at = this.#directory >>> 2;
    for (const [index, piece] of this.#pieces.entries()) heap.u32[at + index] = piece.record;
  }

  #directoryEntries = 0;

  #allocate(bytes: number): number {
    this.#consumer?.grow(bytes);
    try {
      const address = heap.allocateBlock(bytes);
      heap.u8.fill(0, address, address + bytes);
      return address;
    } catch (error) {
      this.#consumer?.shrink(bytes);
      throw error;
    }
  }

  #release(address: number, bytes: number): void {
    heap.releaseBlock(address);
    this.#consumer?.shrink(bytes);
  }
}

function maskOf(bytes: number): number {
  return bytes / ENTRY_BYTES - 1;
}

/** Entries a piece takes: 5/8 of its slots. */
function limitOf(bytes: number): number {
  return Math.floor(((bytes / ENTRY_BYTES) * 5) / 8);
}

/** What a kernel that adds to a table says in its state: see `kernels/hash-table.ts`. */
export const TableState = {
  bytes: 32,
  rowNext: 0,
  rowEnd: 1,
  bytesNext: 2,
  bytesEnd: 3,
  reason: 4,
  piece: 5,
  made: 6,
} as const;

export const NEEDS_PIECE = 1;
export const NEEDS_ROWS = 2;
export const NEEDS_BYTES = 3;

/** A word of a table state. */
export function stateWord(state: number, word: number): number {
  return addr(heap.u32[(state >>> 2) + word]!);
}
