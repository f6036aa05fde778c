/** Element and field types of Thrift's compact protocol. */
export const THRIFT = {
  TRUE: 1,
  FALSE: 2,
  BYTE: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  SET: 10,
  MAP: 11,
  STRUCT: 12,
  UUID: 13,
} as const;

const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'bool',
  2: 'bool',
  3: 'byte',
  4: 'i16',
  5: 'i32',
  6: 'i64',
  7: 'double',
  8: 'binary',
  9: 'list',
  10: 'set',
  11: 'map',
  12: 'struct',
  13: 'uuid',
};

const MAX_DEPTH = 64;

/** Bytes that are no Thrift structure. Whoever knows the file, the row group and the column turns it into a `data_source` error. */
export class ThriftError extends Error {}

/**
 * Reads Thrift's compact protocol from a byte range, checking every length against its end.
 *
 * A structure is read field by field; `field` gives 0 at its end, and the reader of a value must be called before the next `field`:
 *
 *     let id = 0;
 *     while ((id = reader.field(id)) !== 0) {
 *       if (id === 1) size = reader.integer();
 *       else reader.skip();
 *     }
 */
export class ThriftReader {
  readonly bytes: Uint8Array;
  /** Index of the next byte. */
  position: number;
  readonly #end: number;
  #type = 0;
  #depth = 0;
  #exhausted = false;

  constructor(bytes: Uint8Array, start: number = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.position = start;
    this.#end = end;
  }

  /** True when reading failed because the bytes ended: what was read may be good so far. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** The id of the next field of the structure being read, 0 at its end. `last` is the id before it, 0 at the start. */
  field(last: number): number {
    const header = this.#byte();
    if (header === 0) return 0;
    this.#type = header & 15;
    const delta = header >> 4;
    const id = delta === 0 ? this.#zigzag() : last + delta;
    if (id <= 0 || id > 32_767) throw new ThriftError(`a field number ${id}`);
    return id;
  }

  boolean(): boolean {
    if (this.#type !== THRIFT.TRUE && this.#type !== THRIFT.FALSE) throw this.#unexpected('bool');
    return this.#type === THRIFT.TRUE;
  }

  /** An i8, i16, i32 or i64. Beyond 2^53 the value is not exact: check what must be a size or a position. */
  integer(): number {
    if (this.#type === THRIFT.BYTE) return (this.#byte() << 24) >> 24;
    if (this.#type !== THRIFT.I16 && this.#type !== THRIFT.I32 && this.#type !== THRIFT.I64) {
      throw this.#unexpected('integer');
    }
    return this.#zigzag();
  }

  /** A size, count or position: an integer of at least 0 that is exact. */
  size(what: string): number {
    const value = this.integer();
    if (value < 0 || !Number.isSafeInteger(value)) throw new ThriftError(`${what} of ${value}`);
    return value;
  }

  /** A string or binary, as a view of the input. */
  binary(): Uint8Array {
    if (this.#type !== THRIFT.BINARY) throw this.#unexpected('binary');
    const length = this.#varint();
    const start = this.position;
    if (length > this.#end - start) throw this.#pastEnd(`a value of ${length} bytes past the end`);
    this.position = start + length;
    return this.bytes.subarray(start, this.position);
  }

  /** Opens a list of that element type and gives its length; then call the element's reader so many times. */
  list(elementType: number): number {
    if (this.#type !== THRIFT.LIST && this.#type !== THRIFT.SET) throw this.#unexpected('list');
    const header = this.#byte();
    const length = header >> 4 === 15 ? this.#varint() : header >> 4;
    const type = header & 15;
    // Every element takes at least one byte, so a length beyond the rest is a lie that would only cost memory.
    if (length > this.#end - this.position) throw this.#pastEnd(`a list of ${length} elements past the end`);
    if (length > 0 && type !== elementType) {
      throw new ThriftError(`a list of ${TYPE_NAMES[type] ?? type} where ${TYPE_NAMES[elementType]} belongs`);
    }
    this.#type = elementType;
    return length;
  }

  /** Opens the current field as a structure; go on with `field(0)`. Elements of a list of structures need no such call. */
  struct(): void {
    if (this.#type !== THRIFT.STRUCT) throw this.#unexpected('struct');
  }

  /** Passes over the value of the current field. */
  skip(): void {
    this.#skip(this.#type, false);
  }

  #skip(type: number, inList: boolean): void {
    switch (type) {
      case THRIFT.TRUE:
      case THRIFT.FALSE:
        // In a structure the type is the value; in a list each takes a byte.
        if (inList) this.#advance(1);
        return;
      case THRIFT.BYTE:
        this.#advance(1);
        return;
      case THRIFT.I16:
      case THRIFT.I32:
      case THRIFT.I64:
        this.#varint();
        return;
      case THRIFT.DOUBLE:
        this.#advance(8);
        return;
      case THRIFT.UUID:
        this.#advance(16);
        return;
      case THRIFT.BINARY:
        this.#advance(this.#varint());
        return;
      case THRIFT.LIST:
      case THRIFT.SET: {
        const header = this.#byte();
        const length = header >> 4 === 15 ? this.#varint() : header >> 4;
        this.#enter();
        for (let i = 0; i < length; i++) this.#skip(header & 15, true);
        this.#depth--;
        return;
      }
      case THRIFT.MAP: {
        const length = this.#varint();
        if (length === 0) return;
        const types = this.#byte();
        this.#enter();
        for (let i = 0; i < length; i++) {
          this.#skip(types >> 4, true);
          this.#skip(types & 15, true);
        }
        this.#depth--;
        return;
      }
      case THRIFT.STRUCT: {
        this.#enter();
        let id = 0;
        while ((id = this.field(id)) !== 0) this.#skip(this.#type, false);
        this.#depth--;
        return;
      }
      default:
        throw new ThriftError(`a value of type number ${type}`);
    }
  }

  #enter(): void {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw new ThriftError(`structures nested more than ${MAX_DEPTH} deep`);
  }

  #advance(bytes: number): void {
    if (bytes > this.#end - this.position) throw this.#pastEnd(`a value of ${bytes} bytes past the end`);
    this.position += bytes;
  }

  #byte(): number {
    if (this.position >= this.#end) throw this.#pastEnd('an early end');
    return this.bytes[this.position++]!;
  }

  /** Unsigned LEB128 of up to 64 bits; inexact beyond 2^53. */
  #varint(): number {
    let byte = this.#byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    for (let i = 1; i < 10; i++) {
      byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw new ThriftError('an integer of more than 10 bytes');
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #pastEnd(what: string): ThriftError {
    this.#exhausted = true;
    return new ThriftError(what);
  }

  #unexpected(expected: string): ThriftError {
    return new ThriftError(`a ${TYPE_NAMES[this.#type] ?? `type ${this.#type}`} where ${expected} belongs`);
  }
}
