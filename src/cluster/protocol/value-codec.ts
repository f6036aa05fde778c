import { DistqError, unreachable } from '../../base/errors.js';
import type { EncodedValue } from '../../expr/expr-codec.js';

/** First byte of every encoded value. Part of the protocol: both sides are the same build, so there are no versions. */
const TAG = {
  null: 0,
  false: 1,
  true: 2,
  /** A safe integer that is not −0, as a zigzag varint. */
  int: 3,
  float: 4,
  /** Negative flag, byte count, little-endian magnitude. */
  bigint: 5,
  text: 6,
  /** A string with lone surrogates, which UTF-8 has no bytes for: UTF-16 code units. */
  units: 7,
  bytes: 8,
  list: 9,
  object: 10,
} as const;

/** Nesting that no plan reaches and every stack bears. */
const MAX_DEPTH = 2_500;

/**
 * A structured value as bytes, exactly: bigint, −0, NaN, ±Infinity and bytes come back as they went (engine rule 7.4). Keys of objects
 * are written once each and then referred to, since a plan repeats `kind` and `type` at every node.
 */
export function encodeValue(value: EncodedValue): Uint8Array {
  const writer = new ValueWriter();
  writer.value(value, 0);
  return writer.finish();
}

/** The value behind `encodeValue`'s bytes. Anything that is not exactly one value is a `protocol` error. */
export function decodeValue(bytes: Uint8Array): EncodedValue {
  const reader = new ValueReader(bytes);
  const value = reader.value(0);
  reader.finish();
  return value;
}

const utf8 = new TextEncoder();
const LONE_SURROGATE = /\p{Surrogate}/u;

class ValueWriter {
  #bytes: Uint8Array = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  readonly #keys = new Map<string, number>();

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  value(value: EncodedValue, depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new DistqError('resources_exhausted', `the plan is nested more than ${MAX_DEPTH} levels deep`);
    }
    switch (typeof value) {
      case 'boolean':
        this.#byte(value ? TAG.true : TAG.false);
        return;
      case 'number':
        this.#number(value);
        return;
      case 'bigint':
        this.#bigint(value);
        return;
      case 'string':
        this.#text(value);
        return;
      case 'object':
        break;
      case 'undefined':
      case 'function':
      case 'symbol':
        unreachable(value, 'encoded value');
    }
    if (value === null) {
      this.#byte(TAG.null);
    } else if (value instanceof Uint8Array) {
      this.#byte(TAG.bytes);
      this.#varint(value.length);
      this.#raw(value);
    } else if (isList(value)) {
      this.#byte(TAG.list);
      this.#varint(value.length);
      for (const item of value) this.value(item, depth + 1);
    } else {
      const entries = Object.entries(value);
      this.#byte(TAG.object);
      this.#varint(entries.length);
      for (const [key, item] of entries) {
        this.#key(key);
        this.value(item, depth + 1);
      }
    }
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      this.#byte(TAG.int);
      // Zigzag in doubles: 2^53 needs one bit more than a safe integer has, so the sign goes first.
      this.#byte(value < 0 ? 1 : 0);
      this.#varint(Math.abs(value));
      return;
    }
    this.#byte(TAG.float);
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  #bigint(value: bigint): void {
    const bytes: number[] = [];
    for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
    this.#byte(TAG.bigint);
    this.#byte(value < 0n ? 1 : 0);
    this.#varint(bytes.length);
    this.#raw(Uint8Array.from(bytes));
  }

  #text(value: string): void {
    if (!LONE_SURROGATE.test(value)) {
      const bytes = utf8.encode(value);
      this.#byte(TAG.text);
      this.#varint(bytes.length);
      this.#raw(bytes);
      return;
    }
    this.#byte(TAG.units);
    this.#varint(value.length);
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      this.#byte(unit & 0xff);
      this.#byte(unit >>> 8);
    }
  }

  /** 0 and the text for a new key, its number (from 1) for a known one. */
  #key(key: string): void {
    const known = this.#keys.get(key);
    if (known !== undefined) {
      this.#varint(known);
      return;
    }
    this.#keys.set(key, this.#keys.size + 1);
    this.#varint(0);
    this.#text(key);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#byte(rest);
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

class ValueReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  readonly #keys: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  finish(): void {
    if (this.#at !== this.#bytes.length) throw malformed('bytes behind the value');
  }

  value(depth: number): EncodedValue {
    if (depth > MAX_DEPTH) throw malformed('a value nested too deeply');
    const tag = this.#byte();
    switch (tag) {
      case TAG.null:
        return null;
      case TAG.false:
        return false;
      case TAG.true:
        return true;
      case TAG.int: {
        const negative = this.#sign();
        const value = this.#varint();
        return negative ? -value : value;
      }
      case TAG.float: {
        const bytes = this.#take(8);
        return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
      }
      case TAG.bigint:
        return this.#bigint();
      case TAG.text:
      case TAG.units:
        return this.#text(tag);
      case TAG.bytes:
        return this.#take(this.#varint()).slice();
      case TAG.list: {
        const count = this.#count();
        const list: EncodedValue[] = [];
        for (let i = 0; i < count; i++) list.push(this.value(depth + 1));
        return list;
      }
      case TAG.object: {
        const count = this.#count();
        const entries: [string, EncodedValue][] = [];
        for (let i = 0; i < count; i++) entries.push([this.#key(), this.value(depth + 1)]);
        // fromEntries defines own properties, so that a key such as __proto__ is data like any other.
        return Object.fromEntries(entries);
      }
      default:
        throw malformed(`tag ${tag}`);
    }
  }

  #bigint(): bigint {
    const negative = this.#sign();
    const bytes = this.#take(this.#varint());
    let value = 0n;
    for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0);
    return negative ? -value : value;
  }

  #text(tag: number): string {
    const length = this.#varint();
    if (tag === TAG.text) {
      try {
        return strictUtf8.decode(this.#take(length));
      } catch (error) {
        if (error instanceof DistqError) throw error;
        throw malformed('text that is not UTF-8');
      }
    }
    const bytes = this.#take(length * 2);
    let text = '';
    for (let i = 0; i < bytes.length; i += 2) text += String.fromCharCode((bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8));
    return text;
  }

  #key(): string {
    const index = this.#varint();
    if (index === 0) {
      const tag = this.#byte();
      if (tag !== TAG.text && tag !== TAG.units) throw malformed('a key that is no text');
      const key = this.#text(tag);
      this.#keys.push(key);
      return key;
    }
    const key = this.#keys[index - 1];
    if (key === undefined) throw malformed(`key ${index}`);
    return key;
  }

  #sign(): boolean {
    const sign = this.#byte();
    if (sign > 1) throw malformed('a sign');
    return sign === 1;
  }

  /** A number of items, each of which takes a byte at least: a lie cannot make us allocate. */
  #count(): number {
    const count = this.#varint();
    if (count > this.#bytes.length - this.#at) throw malformed(`${count} items in what is left`);
    return count;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw malformed('an early end');
    this.#at++;
    return byte;
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (!Number.isSafeInteger(value)) throw malformed('a number beyond 2^53');
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw malformed('an early end');
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isList(value: EncodedValue): value is readonly EncodedValue[] {
  return Array.isArray(value);
}

function malformed(what: string): DistqError {
  return new DistqError('protocol', `a message between processes holds ${what}`);
}
