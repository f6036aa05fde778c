import { DistqError } from '../../base/errors.js';

/** A frame that does not hold together. Never input of the user's: always the other side of a channel, or a damaged file. */
export function malformedIpc(what: string): DistqError {
  return new DistqError('protocol', `malformed Arrow IPC data: ${what}`);
}

/**
 * A FlatBuffers table inside `view`, every access checked against [start, end). Offsets that leave the buffer, and numbers that are no
 * safe integers, are `protocol` errors.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #start: number;
  readonly #end: number;
  readonly #table: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  private constructor(view: DataView, start: number, end: number, table: number) {
    this.#view = view;
    this.#start = start;
    this.#end = end;
    this.#table = table;
    this.#check(table, 4);
    this.#vtable = table - view.getInt32(table, true);
    this.#check(this.#vtable, 4);
    this.#vtableBytes = view.getUint16(this.#vtable, true);
    if (this.#vtableBytes < 4 || this.#vtableBytes % 2 !== 0) throw malformedIpc('a vtable of an odd size');
    this.#check(this.#vtable, this.#vtableBytes);
  }

  static root(view: DataView, start: number, end: number): FlatTable {
    if (end - start < 8) throw malformedIpc('metadata of less than 8 bytes');
    return new FlatTable(view, start, end, start + view.getUint32(start, true));
  }

  #check(at: number, bytes: number): void {
    if (at < this.#start || at + bytes > this.#end) throw malformedIpc('an offset leaves the metadata');
  }

  /** Position of a field's value, or -1 when the field has its default. */
  #field(field: number, bytes: number): number {
    const slot = 4 + field * 2;
    if (slot + 2 > this.#vtableBytes) return -1;
    const offset = this.#view.getUint16(this.#vtable + slot, true);
    if (offset === 0) return -1;
    const at = this.#table + offset;
    this.#check(at, bytes);
    return at;
  }

  int8(field: number, otherwise = 0): number {
    const at = this.#field(field, 1);
    return at < 0 ? otherwise : this.#view.getInt8(at);
  }

  int16(field: number, otherwise = 0): number {
    const at = this.#field(field, 2);
    return at < 0 ? otherwise : this.#view.getInt16(at, true);
  }

  int32(field: number, otherwise = 0): number {
    const at = this.#field(field, 4);
    return at < 0 ? otherwise : this.#view.getInt32(at, true);
  }

  /** A non-negative i64. */
  int64(field: number): number {
    const at = this.#field(field, 8);
    return at < 0 ? 0 : readInt64(this.#view, at);
  }

  /** Position of an 8-byte field that is present. */
  fieldAt(field: number): number {
    const at = this.#field(field, 8);
    if (at < 0) throw malformedIpc('a field is missing');
    return at;
  }

  bool(field: number): boolean {
    return this.int8(field) !== 0;
  }

  table(field: number): FlatTable | undefined {
    const at = this.#target(field);
    return at < 0 ? undefined : new FlatTable(this.#view, this.#start, this.#end, at);
  }

  requireTable(field: number, what: string): FlatTable {
    const found = this.table(field);
    if (found === undefined) throw malformedIpc(`${what} is missing`);
    return found;
  }

  text(field: number): string {
    const at = this.#target(field);
    if (at < 0) return '';
    this.#check(at, 4);
    const length = this.#view.getUint32(at, true);
    this.#check(at + 4, length);
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at + 4, length));
  }

  tables(field: number): FlatTable[] {
    const { at, count } = this.structs(field, 4);
    return Array.from({ length: count }, (_, index) => {
      const slot = at + index * 4;
      return new FlatTable(this.#view, this.#start, this.#end, slot + this.#view.getUint32(slot, true));
    });
  }

  /** Where a vector of inline values of `width` bytes lies; an absent one has count 0. */
  structs(field: number, width: number): { readonly at: number; readonly count: number } {
    const at = this.#target(field);
    if (at < 0) return { at: 0, count: 0 };
    this.#check(at, 4);
    const count = this.#view.getUint32(at, true);
    this.#check(at + 4, count * width);
    return { at: at + 4, count };
  }

  #target(field: number): number {
    const at = this.#field(field, 4);
    return at < 0 ? -1 : at + this.#view.getUint32(at, true);
  }
}

/** A non-negative i64 below 2^53. */
export function readInt64(view: DataView, at: number): number {
  const high = view.getInt32(at + 4, true);
  if (high < 0 || high >= 2 ** 21) throw malformedIpc('a length that is negative or absurd');
  return high * 2 ** 32 + view.getUint32(at, true);
}
