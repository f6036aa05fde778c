import { invariant } from '../base/errors.js';
import type { DataType } from './data-type.js';
import { ZERO_BITMAP } from './heap.js';
import { type Layout, layoutWidth } from './layout.js';

/**
 * The distinct values behind dictionary codes. Values lie flat in memory and are never null (nulls are in the column's validity).
 * `id` is unique in the process for ever: caches are keyed by it, never by the address, which may be reused.
 * Lives as long as every batch that uses it.
 */
export interface Dictionary {
  readonly id: number;
  readonly layout: Layout;
  /** Address of `size` flat values. */
  readonly values: number;
  readonly size: number;
}

let lastDictionaryId = 0;

export function makeDictionary(layout: Layout, values: number, size: number): Dictionary {
  lastDictionaryId++;
  return { id: lastDictionaryId, layout, values, size };
}

export type Encoding = 'flat' | 'dictionary' | 'constant';

/**
 * One column of a batch, in the process's memory. Immutable; owns nothing: its bytes belong to whoever made the batch.
 *
 * - `flat`: `values` is the address of `length` values in `layout`.
 * - `dictionary`: `values` is the address of `length` u32 codes, each < dictionary.size, also under nulls.
 * - `constant`: `values` is the address of one value that all rows share.
 *
 * `validity` is 0 when no row is null, else the address of a bitmap, least significant bit first, 1 = valid, ⌈length / 8⌉ bytes
 * (one bit for a constant). Values under a null are garbage (codes are in range).
 * `length` counts physical rows: a batch with a selection has longer columns than rows.
 */
export class Column {
  readonly type: DataType;
  readonly layout: Layout;
  readonly encoding: Encoding;
  readonly length: number;
  readonly values: number;
  readonly validity: number;
  readonly dictionary: Dictionary | null;

  private constructor(
    type: DataType,
    layout: Layout,
    encoding: Encoding,
    length: number,
    values: number,
    validity: number,
    dictionary: Dictionary | null,
  ) {
    this.type = type;
    this.layout = layout;
    this.encoding = encoding;
    this.length = length;
    this.values = values;
    this.validity = validity;
    this.dictionary = dictionary;
  }

  static flat(type: DataType, layout: Layout, length: number, values: number, validity = 0): Column {
    return new Column(type, layout, 'flat', length, values, validity, null);
  }

  static dictionary(type: DataType, dictionary: Dictionary, length: number, codes: number, validity = 0): Column {
    return new Column(type, dictionary.layout, 'dictionary', length, codes, validity, dictionary);
  }

  static constant(type: DataType, layout: Layout, length: number, value: number): Column {
    return new Column(type, layout, 'constant', length, value, 0, null);
  }

  /** A column whose every row is null. */
  static nulls(type: DataType, layout: Layout, length: number): Column {
    return new Column(type, layout, 'constant', length, ZERO_BITMAP, ZERO_BITMAP, null);
  }

  get hasNulls(): boolean {
    return this.validity !== 0;
  }

  /** True for a constant null. */
  get isAllNull(): boolean {
    return this.encoding === 'constant' && this.validity !== 0;
  }

  /** The same values under another type of the same layout (a rename of the type, not a cast). */
  withType(type: DataType): Column {
    return new Column(type, this.layout, this.encoding, this.length, this.values, this.validity, this.dictionary);
  }

  /** A constant column of another length. */
  withLength(length: number): Column {
    invariant(this.encoding === 'constant', 'only a constant has any length');
    return new Column(this.type, this.layout, this.encoding, length, this.values, this.validity, null);
  }

  /** Rows [start, start + length) as a view; a validity bitmap needs `start` to be a multiple of 8. */
  slice(start: number, length: number): Column {
    invariant(start >= 0 && start + length <= this.length, 'slice outside the column');
    if (this.encoding === 'constant') {
      return new Column(this.type, this.layout, 'constant', length, this.values, this.validity, null);
    }
    invariant(this.validity === 0 || start % 8 === 0, 'slice of a validity bitmap off a byte border');
    const width = this.encoding === 'dictionary' ? 4 : layoutWidth(this.layout);
    return new Column(
      this.type,
      this.layout,
      this.encoding,
      length,
      this.values + start * width,
      this.validity === 0 ? 0 : this.validity + start / 8,
      this.dictionary,
    );
  }
}

/** Bytes of a validity bitmap over `rows` rows, rounded up to whole 8-byte words so that kernels may work by word. */
export function bitmapBytes(rows: number): number {
  return ((rows + 63) >>> 6) << 3;
}
