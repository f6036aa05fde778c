/**
 * A minimal FlatBuffers writer: tables, vectors, strings, as Arrow's metadata needs them. Written back to front, as the format wants:
 * children before parents; an offset is the distance from the end of the buffer.
 *
 * Source: the FlatBuffers internals page (vtables before tables, 2-byte field offsets).
 */
export class FlatbufferWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  /** Bytes written so far; the next one goes to `#bytes.length - #used - 1`. */
  #used = 0;
  #largestAlignment = 1;
  /** Per field of the open table: its offset, 0 = absent. */
  #fields: number[] = [];
  #tableStart = 0;

  startTable(fieldCount: number): void {
    this.#fields = new Array<number>(fieldCount).fill(0);
    this.#tableStart = this.#used;
  }

  addInt8(field: number, value: number): void {
    this.#prepare(1, 0);
    this.#view.setInt8(this.#claim(1), value);
    this.#fields[field] = this.#used;
  }

  addInt16(field: number, value: number): void {
    this.#prepare(2, 0);
    this.#view.setInt16(this.#claim(2), value, true);
    this.#fields[field] = this.#used;
  }

  addInt32(field: number, value: number): void {
    this.#prepare(4, 0);
    this.#view.setInt32(this.#claim(4), value, true);
    this.#fields[field] = this.#used;
  }

  /** A non-negative safe integer as i64. */
  addInt64(field: number, value: number): void {
    this.#prepare(8, 0);
    this.#putInt64(value);
    this.#fields[field] = this.#used;
  }

  addOffset(field: number, offset: number): void {
    this.#prepare(4, 0);
    this.#putOffset(offset);
    this.#fields[field] = this.#used;
  }

  endTable(): number {
    const fields = this.#fields;
    let count = fields.length;
    while (count > 0 && fields[count - 1] === 0) count--;
    this.#prepare(4, 0);
    this.#claim(4);
    const table = this.#used;
    this.#prepare(2, count * 2 + 4);
    for (let i = count - 1; i >= 0; i--) {
      const field = fields[i] ?? 0;
      this.#view.setUint16(this.#claim(2), field === 0 ? 0 : table - field, true);
    }
    this.#view.setUint16(this.#claim(2), table - this.#tableStart, true);
    this.#view.setUint16(this.#claim(2), (count + 2) * 2, true);
    this.#view.setInt32(this.#bytes.length - table, this.#used - table, true);
    return table;
  }

  string(text: string): number {
    const bytes = new TextEncoder().encode(text);
    this.#prepare(4, bytes.length + 1);
    this.#claim(1);
    this.#bytes[this.#bytes.length - this.#used] = 0;
    this.#bytes.set(bytes, this.#claim(bytes.length));
    this.#view.setUint32(this.#claim(4), bytes.length, true);
    return this.#used;
  }

  offsets(offsets: readonly number[]): number {
    this.#prepare(4, offsets.length * 4);
    for (let i = offsets.length - 1; i >= 0; i--) this.#putOffset(offsets[i] ?? 0);
    this.#view.setUint32(this.#claim(4), offsets.length, true);
    return this.#used;
  }

  /** A vector of structs made of i64s: `values` holds `count` structs of `width` numbers each. */
  int64Structs(values: readonly number[], width: number): number {
    this.#prepare(4, values.length * 8);
    this.#prepare(8, values.length * 8);
    for (let i = values.length - 1; i >= 0; i--) this.#putInt64(values[i] ?? 0);
    this.#view.setUint32(this.#claim(4), values.length / width, true);
    return this.#used;
  }

  /** Arrow's file blocks: i64 offset, i32 metadata length, i64 body length. */
  blocks(blocks: readonly { readonly offset: number; readonly metadata: number; readonly body: number }[]): number {
    this.#prepare(4, blocks.length * 24);
    this.#prepare(8, blocks.length * 24);
    for (let i = blocks.length - 1; i >= 0; i--) {
      const block = blocks[i];
      if (block === undefined) continue;
      this.#putInt64(block.body);
      this.#view.setInt32(this.#claim(4), 0, true);
      this.#view.setInt32(this.#claim(4), block.metadata, true);
      this.#putInt64(block.offset);
    }
    this.#view.setUint32(this.#claim(4), blocks.length, true);
    return this.#used;
  }

  /** The finished buffer (a copy), its length a multiple of 8. */
  finish(root: number): Uint8Array {
    // The end of the buffer is what everything is aligned to, so padding goes to the front of the root offset.
    this.#prepare(Math.max(this.#largestAlignment, 8), 4);
    this.#putOffset(root);
    return this.#bytes.slice(this.#bytes.length - this.#used);
  }

  #putInt64(value: number): void {
    const at = this.#claim(8);
    this.#view.setUint32(at, value >>> 0, true);
    this.#view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }

  #putOffset(offset: number): void {
    const at = this.#claim(4);
    this.#view.setUint32(at, this.#used - offset, true);
  }

  /** Pads so that after `additional` more bytes the position is a multiple of `size`. */
  #prepare(size: number, additional: number): void {
    if (size > this.#largestAlignment) this.#largestAlignment = size;
    const padding = (size - ((this.#used + additional) % size)) % size;
    this.#reserve(padding + additional + size);
    for (let i = 0; i < padding; i++) this.#bytes[this.#claim(1)] = 0;
  }

  #claim(bytes: number): number {
    this.#reserve(bytes);
    this.#used += bytes;
    return this.#bytes.length - this.#used;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    let length = this.#bytes.length;
    while (length < this.#used + bytes) length *= 2;
    const grown = new Uint8Array(length);
    grown.set(this.#bytes, length - this.#bytes.length);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
