import type { Arena } from './arena.js';
import { bitmapBytes, Column } from './column.js';
import type { DataType } from './data-type.js';
import { heap } from './heap.js';
import { defaultLayout, type Layout, layoutWidth } from './layout.js';
import type { Interval } from './scalar-value.js';

const encoder = new TextEncoder();

/**
 * A flat column under construction: values start zeroed (so that unwritten slots are safe to read), rows start valid under the given
 * validity.
 */
export class ColumnBuilder {
  readonly values: number;
  readonly #type: DataType;
  readonly #layout: Layout;
  readonly #length: number;
  readonly #arena: Arena;
  #validity: number;
  #owned = false;

  /** `validity`: 0 or a bitmap that the column may share; it is copied before a `setNull` changes it. */
  constructor(type: DataType, length: number, arena: Arena, validity = 0, layout: Layout = defaultLayout(type)) {
    this.#type = type;
    this.#layout = layout;
    this.#length = length;
    this.#arena = arena;
    this.#validity = validity;
    this.values = arena.allocZeroed(length * layoutWidth(layout));
  }

  setNull(row: number): void {
    if (!this.#owned) {
      const fresh = this.#arena.alloc(bitmapBytes(this.#length));
      if (this.#validity === 0) heap.u8.fill(0xff, fresh, fresh + bitmapBytes(this.#length));
      else heap.u8.copyWithin(fresh, this.#validity, this.#validity + ((this.#length + 7) >>> 3));
      this.#validity = fresh;
      this.#owned = true;
    }
    heap.u8[this.#validity + (row >>> 3)]! &= ~(1 << (row & 7));
  }

  setBoolean(row: number, value: boolean): void {
    heap.u8[this.values + row] = value ? 1 : 0;
  }

  setF64(row: number, value: number): void {
    heap.f64[(this.values >>> 3) + row] = value;
  }

  setFloat(row: number, value: number): void {
    if (this.#layout === 'f32') heap.f32[(this.values >>> 2) + row] = value;
    else heap.f64[(this.values >>> 3) + row] = value;
  }

  setI32(row: number, value: number): void {
    heap.i32[(this.values >>> 2) + row] = value;
  }

  setI64(row: number, value: bigint): void {
    heap.i64[(this.values >>> 3) + row] = value;
  }

  /** An integer in the column's layout; it must fit. */
  setInteger(row: number, value: bigint): void {
    const at = this.values + row * layoutWidth(this.#layout);
    switch (this.#layout) {
      case 'i8':
      case 'u8':
      case 'bool':
        heap.u8[at] = Number(BigInt.asUintN(8, value));
        return;
      case 'i16':
      case 'u16':
        heap.u16[at >>> 1] = Number(BigInt.asUintN(16, value));
        return;
      case 'i32':
      case 'u32':
        heap.u32[at >>> 2] = Number(BigInt.asUintN(32, value));
        return;
      case 'i64':
      case 'u64':
        heap.u64[at >>> 3] = BigInt.asUintN(64, value);
        return;
      case 'i128':
        heap.u64[at >>> 3] = BigInt.asUintN(64, value);
        heap.i64[(at >>> 3) + 1] = BigInt.asIntN(64, value >> 64n);
        return;
      case 'null':
      case 'f32':
      case 'f64':
      case 'view':
      case 'interval':
        return;
    }
  }

  setInterval(row: number, { months, days, nanos }: Interval): void {
    const at = this.values + row * 16;
    heap.i32[at >>> 2] = months;
    heap.i32[(at >>> 2) + 1] = days;
    heap.i64[(at >>> 3) + 1] = nanos;
  }

  /** A value of the column's own layout that lies at `address`; a string's bytes are not copied. */
  copyValue(row: number, address: number): void {
    const width = layoutWidth(this.#layout);
    heap.u8.copyWithin(this.values + row * width, address, address + width);
  }

  /** A string that lies elsewhere in memory and lives as long as the result (an argument's bytes, say). */
  setView(row: number, start: number, length: number): void {
    const at = (this.values >>> 2) + row * 2;
    heap.u32[at] = start;
    heap.u32[at + 1] = length;
  }

  /** Copies the bytes into the arena. */
  setBytes(row: number, bytes: Uint8Array): void {
    this.setView(row, this.#arena.copyBytes(bytes), bytes.length);
  }

  setText(row: number, text: string): void {
    this.setBytes(row, encoder.encode(text));
  }

  finish(): Column {
    return Column.flat(this.#type, this.#layout, this.#length, this.values, this.#validity);
  }
}
