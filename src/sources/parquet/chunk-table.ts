export const FLAG = { ENCRYPTED: 1, EXTERNAL: 2, MIN_INEXACT: 4, MAX_INEXACT: 8, LEGACY: 16, PRESENT: 32 } as const;
/** For a bound that a chunk does not have. */
export const NO_VALUE = -1;

/** What is kept per column chunk, by its place in a chunk's numbers. Offsets are 0 and counts −1 where the footer has none. */
export const FIELD = {
  CODEC: 0,
  FLAGS: 1,
  VALUE_COUNT: 2,
  DATA_OFFSET: 3,
  DICTIONARY_OFFSET: 4,
  COMPRESSED_BYTES: 5,
  UNCOMPRESSED_BYTES: 6,
  NULL_COUNT: 7,
  DISTINCT_COUNT: 8,
  /** Where in the footer the bounds lie; NO_VALUE without one. */
  MIN_START: 9,
  MIN_LENGTH: 10,
  MAX_START: 11,
  MAX_LENGTH: 12,
  COLUMN_INDEX_OFFSET: 13,
  COLUMN_INDEX_LENGTH: 14,
  OFFSET_INDEX_OFFSET: 15,
  OFFSET_INDEX_LENGTH: 16,
  BLOOM_OFFSET: 17,
  BLOOM_LENGTH: 18,
} as const;
const FIELDS = 19;

type ChunkField = (typeof FIELD)[keyof typeof FIELD];

/** One entry per (row group, leaf), row group first, all in one array: a footer is a handful of objects. */
export class ChunkTable {
  readonly #numbers: Float64Array;

  constructor(count: number) {
    this.#numbers = new Float64Array(count * FIELDS);
    for (let at = 0; at < count; at++) {
      this.set(at, FIELD.NULL_COUNT, -1);
      this.set(at, FIELD.DISTINCT_COUNT, -1);
      this.set(at, FIELD.MIN_START, NO_VALUE);
      this.set(at, FIELD.MAX_START, NO_VALUE);
    }
  }

  get byteLength(): number {
    return this.#numbers.byteLength;
  }

  get(at: number, field: ChunkField): number {
    return this.#numbers[at * FIELDS + field]!;
  }

  set(at: number, field: ChunkField, value: number): void {
    this.#numbers[at * FIELDS + field] = value;
  }

  flag(at: number, flag: number): void {
    this.set(at, FIELD.FLAGS, this.get(at, FIELD.FLAGS) | flag);
  }
}
