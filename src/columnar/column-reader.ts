import { type Column, bitmapBytes } from './column.js';
import { heap } from './heap.js';
import { layoutWidth } from './layout.js';
import type { Arena } from './arena.js';
import type { Interval } from './scalar-value.js';

const decoder = new TextDecoder('utf-8');

/** Row access to a column in any encoding: where the value of a row lies, whether it is null. */
export class ColumnReader {
  readonly column: Column;
  readonly #base: number;
  readonly #step: number;
  /** Index into `heap.u32` of the first code, or -1. */
  readonly #codes: number;

  constructor(column: Column) {
    this.column = column;
    const width = layoutWidth(column.layout);
    if (column.dictionary !== null) {
      this.#base = column.dictionary.values;
      this.#step = width;
      this.#codes = column.values >>> 2;
    } else {
      this.#base = column.values;
      this.#step = column.encoding === 'constant' ? 0 : width;
      this.#codes = -1;
    }
  }

  isNull(row: number): boolean {
    const { column } = this;
    if (column.layout === 'null') return true;
    if (column.validity === 0) return false;
    const bit = column.encoding === 'constant' ? 0 : row;
    return ((heap.u8[column.validity + (bit >>> 3)]! >>> (bit & 7)) & 1) === 0;
  }

  /** Address of a row's value; meaningless for nulls. */
  address(row: number): number {
    const position = this.#codes >= 0 ? heap.u32[this.#codes + row]! : row;
    return this.#base + position * this.#step;
  }

  boolean(row: number): boolean {
    return heap.u8[this.address(row)] !== 0;
  }

  f64(row: number): number {
    return heap.f64[this.address(row) >>> 3]!;
  }

  f32(row: number): number {
    return heap.f32[this.address(row) >>> 2]!;
  }

  i32(row: number): number {
    return heap.i32[this.address(row) >>> 2]!;
  }

  i64(row: number): bigint {
    return heap.i64[this.address(row) >>> 3]!;
  }

  /** An i64 as a number: exact up to 2^53, else the nearest double. */
  i64Number(row: number): number {
    const at = this.address(row) >>> 2;
    return heap.u32[at]! + heap.i32[at + 1]! * 4_294_967_296;
  }

  /** A float of either width. */
  float(row: number): number {
    return this.column.layout === 'f32' ? this.f32(row) : this.f64(row);
  }

  /** An integer of any layout (decimals: unscaled). */
  integer(row: number): bigint {
    const at = this.address(row);
    switch (this.column.layout) {
      case 'i8':
        return BigInt(heap.i8[at]!);
      case 'i16':
        return BigInt(heap.i16[at >>> 1]!);
      case 'i32':
        return BigInt(heap.i32[at >>> 2]!);
      case 'i64':
        return heap.i64[at >>> 3]!;
      case 'u8':
      case 'bool':
        return BigInt(heap.u8[at]!);
      case 'u16':
        return BigInt(heap.u16[at >>> 1]!);
      case 'u32':
        return BigInt(heap.u32[at >>> 2]!);
      case 'u64':
        return heap.u64[at >>> 3]!;
      case 'i128':
        return (heap.i64[(at >>> 3) + 1]! << 64n) | heap.u64[at >>> 3]!;
      case 'null':
      case 'f32':
      case 'f64':
      case 'view':
      case 'interval':
        return 0n;
    }
  }

  interval(row: number): Interval {
    const at = this.address(row);
    return { months: heap.i32[at >>> 2]!, days: heap.i32[(at >>> 2) + 1]!, nanos: heap.i64[(at >>> 3) + 1]! };
  }

  /** Address of a string's bytes. */
  start(row: number): number {
    return heap.u32[this.address(row) >>> 2]!;
  }

  /** A string's length in bytes. */
  byteLength(row: number): number {
    return heap.u32[(this.address(row) >>> 2) + 1]!;
  }

  /** A string's bytes as a view of the memory. */
  bytes(row: number): Uint8Array {
    const at = this.address(row) >>> 2;
    const start = heap.u32[at]!;
    return heap.u8.subarray(start, start + heap.u32[at + 1]!);
  }

  /** A string as JavaScript's (invalid UTF-8 replaced). */
  text(row: number): string {
    return decoder.decode(this.bytes(row));
  }
}

/**
 * Which rows have no null among the arguments: 0 = all rows, 'none' = no row (an argument is null throughout), else the address of a
 * fresh bitmap.
 */
export function commonValidity(args: readonly Column[], numRows: number, arena: Arena): number | 'none' {
  let result = 0;
  let owned = false;
  for (const column of args) {
    if (column.layout === 'null') return 'none';
    if (column.validity === 0) continue;
    if (column.encoding === 'constant') {
      if ((heap.u8[column.validity]! & 1) === 0) return 'none';
      continue;
    }
    if (result === 0) {
      result = column.validity;
      continue;
    }
    if (!owned) {
      const copy = arena.allocZeroed(bitmapBytes(numRows));
      heap.u8.copyWithin(copy, result, result + ((numRows + 7) >>> 3));
      result = copy;
      owned = true;
    }
    for (let i = 0; i < (numRows + 7) >>> 3; i++) heap.u8[result + i]! &= heap.u8[column.validity + i]!;
  }
  return result;
}

/** Whether bit `row` of a bitmap from `commonValidity` is set. */
export function validAt(validity: number, row: number): boolean {
  return validity === 0 || ((heap.u8[validity + (row >>> 3)]! >>> (row & 7)) & 1) === 1;
}
