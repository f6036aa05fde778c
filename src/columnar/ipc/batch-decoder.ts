import { invariant } from '../../base/errors.js';
import { Arena } from '../arena.js';
import { Column, type Dictionary, makeDictionary } from '../column.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import { layoutWidth } from '../layout.js';
import type { MemoryConsumer } from '../memory-pool.js';
import { RecordBatch } from '../record-batch.js';
import type { Schema } from '../schema.js';
import { type FlatTable, malformedIpc, readInt64 } from './flatbuffer-reader.js';
import {
  HEADER_BATCH,
  HEADER_DICTIONARY,
  HEADER_SCHEMA,
  heapView,
  type ParsedMessage,
  readMessage,
  readSchema,
  type WireField,
} from './message.js';
import { carries, wireLayout, type WireType } from './wire-type.js';

interface HeldDictionary {
  readonly arena: Arena;
  readonly dictionary: Dictionary;
}

/**
 * Reads what `IpcBatchEncoder` writes, piece by piece. Fixed-width values stay where they lie in the piece; strings become views of
 * its bytes. Nothing in a piece is trusted: every offset, length, code and count is checked, and a piece that does not hold together, or
 * does not fit the schema the reader expects, is a `protocol` error.
 */
export class IpcBatchDecoder {
  readonly #schema: Schema;
  readonly #consumer: MemoryConsumer | undefined;
  #fields: readonly WireField[] | null = null;
  /** Per column, the dictionary that codes refer to now. */
  readonly #dictionaries = new Map<number, HeldDictionary>();
  /** Replaced dictionaries, which the last batch given out may still use. */
  #retired: Arena[] = [];

  constructor(schema: Schema, consumer?: MemoryConsumer) {
    this.#schema = schema;
    this.#consumer = consumer;
  }

  /**
   * The batch of a piece. Its columns refer to the piece's bytes, to `arena` and to dictionaries kept here; it is valid until any of the
   * three goes: the piece is released, the arena reset, `decode` called again. `address` is 8-byte aligned, and 64 bytes behind the
   * piece may be read.
   */
  decode(address: number, bytes: number, arena: Arena): RecordBatch {
    for (const retired of this.#retired) retired.free();
    this.#retired = [];
    const end = address + bytes;
    let at = address;
    while (at < end) {
      const message = readMessage(at, end);
      if (message === undefined) throw malformedIpc('an end of stream inside a piece');
      at = message.next;
      switch (message.header) {
        case HEADER_SCHEMA:
          this.#beginStream(message.table);
          break;
        case HEADER_DICTIONARY:
          this.#readDictionary(message);
          break;
        case HEADER_BATCH: {
          const batch = this.#readBatch(message, arena);
          if (at !== end) throw malformedIpc('bytes behind a batch');
          return batch;
        }
        default:
          throw malformedIpc(`a message of kind ${message.header}`);
      }
    }
    throw malformedIpc('a piece without a batch');
  }

  /** Frees the dictionaries; batches given out are no longer valid. */
  close(): void {
    for (const retired of this.#retired) retired.free();
    this.#retired = [];
    for (const { arena } of this.#dictionaries.values()) arena.free();
    this.#dictionaries.clear();
  }

  #beginStream(table: FlatTable): void {
    const fields = readSchema(table);
    if (fields.length !== this.#schema.length) {
      throw malformedIpc(
        `${fields.length} columns where ${this.#schema.length} were expected (${this.#schema.toString()})`,
      );
    }
    for (const [index, field] of fields.entries()) {
      const expected = this.#schema.field(index);
      if (!carries(field.type, expected.type)) {
        throw malformedIpc(`column ${index} ("${expected.name}") is not ${expected.type.kind}`);
      }
    }
    for (const index of [...this.#dictionaries.keys()]) this.#retire(index);
    this.#fields = fields;
  }

  #retire(index: number): void {
    const held = this.#dictionaries.get(index);
    if (held === undefined) return;
    this.#retired.push(held.arena);
    this.#dictionaries.delete(index);
  }

  #readDictionary(message: ParsedMessage): void {
    const fields = this.#requireFields();
    const id = message.table.int64(0);
    if (message.table.bool(2)) throw malformedIpc('a delta dictionary');
    const index = fields.findIndex((field) => field.dictionary === id);
    const field = fields[index];
    if (field === undefined) throw malformedIpc(`dictionary ${id}, which no column has`);
    const batch = message.table.requireTable(1, 'the values of a dictionary');
    const size = batch.int64(0);
    const arena = new Arena(this.#consumer);
    try {
      const buffers = new BufferReader(batch, message);
      // The piece goes when its batch is passed, the dictionary stays.
      const bytes = arena.alloc(message.bodyBytes);
      heap.u8.copyWithin(bytes, message.body, message.body + message.bodyBytes);
      const column = buffers.column(field.type, this.#schema.field(index).type, size, bytes - message.body, arena);
      buffers.finish();
      if (column.validity !== 0) throw malformedIpc('a dictionary that holds a null');
      this.#retire(index);
      this.#dictionaries.set(index, { arena, dictionary: makeDictionary(column.layout, column.values, size) });
    } catch (error) {
      arena.free();
      throw error;
    }
  }

  #readBatch(message: ParsedMessage, arena: Arena): RecordBatch {
    const fields = this.#requireFields();
    const rows = message.table.int64(0);
    if (rows > 0xffff_ffff) throw malformedIpc(`a batch of ${rows} rows`);
    const buffers = new BufferReader(message.table, message);
    const columns = fields.map((field, index) => {
      const { type } = this.#schema.field(index);
      if (field.dictionary === null) return buffers.column(field.type, type, rows, 0, arena);
      const held = this.#dictionaries.get(index);
      if (held === undefined) throw malformedIpc(`codes of column ${index} without a dictionary`);
      const { values, validity } = buffers.flat(4, rows);
      if (kernels.codesBelow(values, rows, held.dictionary.size) === 0) {
        throw malformedIpc(`a code of column ${index} that its dictionary does not have`);
      }
      return Column.dictionary(type, held.dictionary, rows, values, validity);
    });
    buffers.finish();
    return new RecordBatch(this.#schema, columns, rows);
  }

  #requireFields(): readonly WireField[] {
    if (this.#fields === null) throw malformedIpc('data before a schema');
    return this.#fields;
  }
}

/** Walks the nodes and buffers of one record batch in schema order. */
class BufferReader {
  readonly #nodes: { readonly at: number; readonly count: number };
  readonly #buffers: { readonly at: number; readonly count: number };
  readonly #body: number;
  readonly #bodyBytes: number;
  #node = 0;
  #buffer = 0;

  constructor(batch: FlatTable, message: ParsedMessage) {
    if (batch.table(3) !== undefined) throw malformedIpc('a compressed body');
    this.#nodes = batch.structs(1, 16);
    this.#buffers = batch.structs(2, 16);
    this.#body = message.body;
    this.#bodyBytes = message.bodyBytes;
  }

  finish(): void {
    if (this.#node !== this.#nodes.count || this.#buffer !== this.#buffers.count) {
      throw malformedIpc('more nodes or buffers than columns');
    }
  }

  /** A flat column; `shift` is added to the addresses of its buffers (they were copied there), derived ones go to the arena. */
  column(wire: WireType, type: Schema['fields'][number]['type'], rows: number, shift: number, arena: Arena): Column {
    const layout = wireLayout(wire);
    switch (wire.kind) {
      case 'Null':
        this.#nextNode(rows);
        return Column.nulls(type, layout, rows);
      case 'Bool': {
        const validity = this.#validity(rows, shift);
        const bits = this.#next((rows + 7) >>> 3, shift);
        const values = arena.alloc(rows);
        kernels.unpackBools(bits.address, rows, values);
        return Column.flat(type, layout, rows, values, validity);
      }
      case 'Utf8':
      case 'Binary': {
        const validity = this.#validity(rows, shift);
        // Arrow lets the offsets of zero rows be empty.
        const offsets = this.#next(rows === 0 ? 0 : (rows + 1) * 4, shift);
        const bytes = this.#next(0, shift);
        const values = arena.alloc(rows * 8);
        if (rows > 0 && kernels.readOffsets(offsets.address, rows, bytes.address, bytes.length, values) === 0) {
          throw malformedIpc('string offsets that descend or leave their bytes');
        }
        return Column.flat(type, layout, rows, values, validity);
      }
      case 'FixedSizeBinary': {
        const validity = this.#validity(rows, shift);
        const bytes = this.#next(rows * wire.size, shift);
        const values = arena.alloc(rows * 8);
        kernels.readFixed(bytes.address, wire.size, rows, values);
        return Column.flat(type, layout, rows, values, validity);
      }
      case 'Int':
      case 'Float':
      case 'Decimal':
      case 'NarrowDecimal':
      case 'Date':
      case 'Time':
      case 'Timestamp':
      case 'Duration':
      case 'Interval': {
        const { values, validity } = this.flat(layoutWidth(layout), rows, shift);
        return Column.flat(type, layout, rows, values, validity);
      }
    }
  }

  /** Validity and values of `width` bytes each. */
  flat(width: number, rows: number, shift = 0): { readonly values: number; readonly validity: number } {
    const validity = this.#validity(rows, shift);
    return { validity, values: this.#next(rows * width, shift).address };
  }

  #nextNode(rows: number): number {
    if (this.#node >= this.#nodes.count) throw malformedIpc('fewer nodes than columns');
    const at = this.#nodes.at + this.#node * 16;
    this.#node++;
    const length = readInt64(heapView, at);
    if (length !== rows) throw malformedIpc(`a column of ${length} rows in a batch of ${rows}`);
    const nulls = readInt64(heapView, at + 8);
    if (nulls > rows) throw malformedIpc(`${nulls} nulls in ${rows} rows`);
    return nulls;
  }

  #validity(rows: number, shift: number): number {
    const nulls = this.#nextNode(rows);
    const bits = this.#next(0, shift);
    if (nulls === 0) return 0;
    if (bits.length < (rows + 7) >>> 3) throw malformedIpc('a validity bitmap that is too short');
    return bits.address;
  }

  /** The next buffer, of at least `needed` bytes, 8-byte aligned as the format wants. */
  #next(needed: number, shift: number): { readonly address: number; readonly length: number } {
    if (this.#buffer >= this.#buffers.count) throw malformedIpc('fewer buffers than columns need');
    const at = this.#buffers.at + this.#buffer * 16;
    this.#buffer++;
    const offset = readInt64(heapView, at);
    const length = readInt64(heapView, at + 8);
    if (offset + length > this.#bodyBytes) throw malformedIpc('a buffer that leaves its body');
    if (length < needed) throw malformedIpc(`a buffer of ${length} bytes where ${needed} are needed`);
    if (offset % 8 !== 0) throw malformedIpc('a buffer off an 8-byte border');
    invariant(this.#body % 8 === 0, 'a piece starts on an 8-byte border');
    return { address: this.#body + offset + shift, length };
  }
}
