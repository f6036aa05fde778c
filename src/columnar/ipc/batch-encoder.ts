import { DistqError, invariant } from '../../base/errors.js';
import type { Arena } from '../arena.js';
import { Column, type Dictionary } from '../column.js';
import { compact, flattenColumn, widenDecimal } from '../flatten.js';
import { heap } from '../heap.js';
import { kernels } from '../kernels.js';
import { defaultLayout, layoutWidth } from '../layout.js';
import type { RecordBatch } from '../record-batch.js';
import type { Schema } from '../schema.js';
import { BatchMessage, schemaMessage, type WireField } from './message.js';
import { type WireType, wireType, wireTypesEqual } from './wire-type.js';

/** Largest piece a batch is cut into; a single row may be larger. */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

/**
 * `exchange`: for distq's own reader: narrow decimals stay 8 bytes wide, dictionaries travel where that is cheaper.
 * `file`: for everybody: Decimal128 as Arrow has it, no dictionaries, one schema for the whole stream.
 */
export type IpcForm = 'exchange' | 'file';

/** Some rows of a batch as IPC messages in the heap. */
export interface IpcPiece {
  readonly address: number;
  readonly bytes: number;
  readonly rows: number;
  /** The last bytes of the piece: the batch's values. */
  readonly bodyBytes: number;
}

interface StreamColumn {
  readonly type: WireType;
  /** The dictionary the reader has now, when the column travels as codes. */
  dictionary: Dictionary | null;
}

/** What one column adds to a body, and how it is written. */
interface PreparedColumn {
  readonly column: Column;
  readonly type: WireType;
}

/**
 * Writes the batches of one stream as Arrow IPC messages: the schema first, dictionaries before the batch that needs them, then record
 * batches. All pieces of a stream one after the other, with END_OF_STREAM behind them, are a conformant IPC stream, as long as the
 * columns keep their representation. When a column changes it (a decimal no longer fits 64 bits, a dictionary is no longer worth
 * sending), a new schema message begins a new stream in the middle.
 *
 * A dictionary is sent once per stream, and only when it is smaller than the values of the batch that first uses it; string bytes are
 * written densely, whatever they lie in (engine rule 1.6).
 */
export class IpcBatchEncoder {
  readonly #schema: Schema;
  readonly #form: IpcForm;
  readonly #maxBytes: number;
  #columns: StreamColumn[] | null = null;
  #message: BatchMessage | null = null;

  constructor(
    schema: Schema,
    { form = 'exchange', maxBytes = MAX_FRAME_BYTES }: { form?: IpcForm; maxBytes?: number } = {},
  ) {
    this.#schema = schema;
    this.#form = form;
    this.#maxBytes = maxBytes;
  }

  /**
   * The batch in pieces of at most `maxBytes` (rows permitting); none for a batch without rows. `allocate` gives an 8-byte aligned heap
   * address with room for that many bytes; the piece is the caller's from then on. `scratch` holds intermediate columns until the last
   * piece is taken. The batch must stay valid as long.
   */
  *encode(batch: RecordBatch, scratch: Arena, allocate: (bytes: number) => number): Generator<IpcPiece> {
    invariant(batch.schema.length === this.#schema.length, 'a stream has one schema');
    if (batch.numRows === 0) return;
    const dense = compact(batch, scratch);
    const prepared = dense.columns.map((column, index) => this.#prepare(column, index, scratch));
    const preamble = this.#preamble(prepared, scratch);
    let first = true;
    for (const [start, count] of this.#ranges(prepared, 0, dense.numRows)) {
      yield this.#piece(prepared, start, count, first ? preamble : [], allocate);
      first = false;
    }
  }

  /**
   * The schema message, when it shall stand before the first batch is known: columns then start in their default representation.
   * Of use to files and to streams that may stay empty.
   */
  start(): Uint8Array {
    const columns = this.#schema.fields.map(({ type }) => {
      const layout = this.#form === 'file' && type.kind === 'Decimal128' ? 'i128' : defaultLayout(type);
      return { type: wireType(type, layout), dictionary: null };
    });
    this.#begin(
      columns,
      columns.reduce((sum, { type }) => sum + valueBuffers(type), 0),
    );
    return schemaMessage(this.#fields(columns));
  }

  #begin(columns: StreamColumn[], buffers: number): void {
    this.#columns = columns;
    this.#message = new BatchMessage(columns.length, buffers);
  }

  /** Decides between codes and values and spells constants out. */
  #prepare(column: Column, index: number, scratch: Arena): PreparedColumn {
    const { type } = this.#schema.field(index);
    let ready = column;
    if (column.layout === 'null' && type.kind !== 'Null') {
      ready = Column.nulls(type, defaultLayout(type), column.length);
    }
    if (ready.dictionary !== null && this.#form === 'exchange' && this.#sendsCodes(ready, ready.dictionary, index)) {
      return { column: ready, type: wireType(type, ready.layout) };
    }
    ready = flattenColumn(ready, scratch);
    if (this.#form === 'file' && type.kind === 'Decimal128') ready = widenDecimal(ready, scratch);
    return { column: ready, type: wireType(type, ready.layout) };
  }

  #sendsCodes(column: Column, dictionary: Dictionary, index: number): boolean {
    if (this.#columns?.[index]?.dictionary?.id === dictionary.id) return true;
    const width = layoutWidth(dictionary.layout);
    let dictionaryBytes = width * dictionary.size + 4 * column.length;
    let valueBytes = width * column.length;
    if (dictionary.layout === 'view') {
      dictionaryBytes += kernels.viewRangeBytes(dictionary.values, 0, 0, dictionary.size);
      valueBytes += kernels.codedViewBytes(dictionary.values, column.values, column.validity, column.length);
    }
    return dictionaryBytes < valueBytes;
  }

  /** What goes before the batch: a schema when the representation changed, dictionaries that are new to the reader. */
  #preamble(prepared: readonly PreparedColumn[], scratch: Arena): Uint8Array[] {
    const parts: Uint8Array[] = [];
    const known = this.#columns;
    const changed =
      known === null ||
      prepared.some(({ column, type }, index) => {
        const before = known[index];
        return (
          before === undefined ||
          !wireTypesEqual(before.type, type) ||
          (before.dictionary === null) !== (column.dictionary === null)
        );
      });
    const columns: StreamColumn[] =
      known === null || changed ? prepared.map(({ type }) => ({ type, dictionary: null })) : known;
    if (changed) {
      parts.push(
        schemaMessage(this.#fields(prepared.map(({ column, type }) => ({ type, coded: column.dictionary !== null })))),
      );
      this.#begin(
        columns,
        prepared.reduce((sum, part) => sum + bufferCount(part), 0),
      );
    }
    for (const [index, { column, type }] of prepared.entries()) {
      const state = columns[index];
      if (state === undefined || column.dictionary === null || state.dictionary?.id === column.dictionary.id) continue;
      parts.push(dictionaryMessage(column.dictionary, type, column, index + 1, scratch));
      state.dictionary = column.dictionary;
    }
    return parts;
  }

  #fields(columns: readonly { readonly type: WireType; readonly coded?: boolean }[]): WireField[] {
    return columns.map(({ type, coded }, index) => {
      const { name, nullable } = this.#schema.field(index);
      return { name, nullable, type, dictionary: coded === true ? index + 1 : null };
    });
  }

  /** Row ranges whose bodies are small enough. */
  *#ranges(prepared: readonly PreparedColumn[], start: number, count: number): Generator<readonly [number, number]> {
    if (count > 1 && bodyBytes(prepared, start, count) > this.#maxBytes) {
      const half = count >>> 1;
      yield* this.#ranges(prepared, start, half);
      yield* this.#ranges(prepared, start + half, count - half);
      return;
    }
    yield [start, count];
  }

  #piece(
    prepared: readonly PreparedColumn[],
    start: number,
    count: number,
    preamble: readonly Uint8Array[],
    allocate: (bytes: number) => number,
  ): IpcPiece {
    const message = this.#message;
    invariant(message !== null, 'a batch follows its schema');
    const body = bodyBytes(prepared, start, count);
    const before = preamble.reduce((sum, part) => sum + part.length, 0);
    const bytes = before + message.byteLength + body;
    const address = allocate(bytes);
    let at = address;
    for (const part of preamble) {
      heap.u8.set(part, at);
      at += part.length;
    }
    const nodes: number[] = [];
    const buffers: number[] = [];
    const bodyAt = at + message.byteLength;
    let offset = 0;
    for (const { column, type } of prepared) {
      offset = writeColumn(column, type, start, count, bodyAt, offset, nodes, buffers);
    }
    invariant(offset === body, 'a body has the measured length');
    message.write(at, count, body, nodes, buffers);
    return { address, bytes, rows: count, bodyBytes: body };
  }
}

/** The values of a dictionary as a whole message. It has the nullability of values: none is null. */
function dictionaryMessage(
  dictionary: Dictionary,
  type: WireType,
  column: Column,
  id: number,
  scratch: Arena,
): Uint8Array {
  const values = Column.flat(column.type, dictionary.layout, dictionary.size, dictionary.values);
  const message = new BatchMessage(1, bufferCount({ column: values, type }), id);
  const body = columnBytes({ column: values, type }, 0, dictionary.size);
  const address = scratch.alloc(message.byteLength + body);
  const nodes: number[] = [];
  const buffers: number[] = [];
  writeColumn(values, type, 0, dictionary.size, address + message.byteLength, 0, nodes, buffers);
  message.write(address, dictionary.size, body, nodes, buffers);
  return heap.u8.subarray(address, address + message.byteLength + body);
}

function bufferCount({ column, type }: PreparedColumn): number {
  return column.dictionary === null ? valueBuffers(type) : 2;
}

function valueBuffers(type: WireType): number {
  if (type.kind === 'Null') return 0;
  return type.kind === 'Utf8' || type.kind === 'Binary' ? 3 : 2;
}

function bodyBytes(prepared: readonly PreparedColumn[], start: number, count: number): number {
  return prepared.reduce((sum, part) => sum + columnBytes(part, start, count), 0);
}

function columnBytes({ column, type }: PreparedColumn, start: number, count: number): number {
  if (type.kind === 'Null') return 0;
  const validity = column.validity === 0 ? 0 : padded((count + 7) >>> 3);
  if (column.dictionary !== null) return validity + padded(count * 4);
  switch (type.kind) {
    case 'Bool':
      return validity + padded((count + 7) >>> 3);
    case 'Utf8':
    case 'Binary': {
      const bytes = kernels.viewRangeBytes(column.values, column.validity, start, count);
      return validity + padded((count + 1) * 4) + padded(bytes);
    }
    case 'FixedSizeBinary':
      return validity + padded(count * type.size);
    case 'Int':
    case 'Float':
    case 'Decimal':
    case 'NarrowDecimal':
    case 'Date':
    case 'Time':
    case 'Timestamp':
    case 'Duration':
    case 'Interval':
      return validity + padded(count * layoutWidth(column.layout));
  }
}

/** Appends rows [start, start + count) to a body; gives the offset behind them. */
function writeColumn(
  column: Column,
  type: WireType,
  start: number,
  count: number,
  body: number,
  offset: number,
  nodes: number[],
  buffers: number[],
): number {
  if (type.kind === 'Null') {
    nodes.push(count, count);
    return offset;
  }
  let nulls = 0;
  let at = offset;
  if (column.validity === 0) {
    buffers.push(at, 0);
  } else {
    const bytes = (count + 7) >>> 3;
    // The last byte's spare bits are written by nobody else.
    heap.u8[body + at + bytes - 1] = 0;
    nulls = count - kernels.gatherBits(column.validity, 0, start, count, body + at, 0);
    buffers.push(at, bytes);
    at = padTo(body, at + bytes);
  }
  nodes.push(count, nulls);
  if (column.dictionary !== null) return copyValues(column.values, 4, start, count, body, at, buffers);
  switch (type.kind) {
    case 'Bool': {
      const bytes = (count + 7) >>> 3;
      kernels.packBools(column.values + start, count, body + at);
      buffers.push(at, bytes);
      return padTo(body, at + bytes);
    }
    case 'Utf8':
    case 'Binary': {
      const data = padTo(body, at + (count + 1) * 4);
      kernels.writeOffsets(column.values, column.validity, start, count, body + at, body + data);
      const bytes = heap.u32[(body + at + count * 4) >>> 2]!;
      buffers.push(at, (count + 1) * 4, data, bytes);
      return padTo(body, data + bytes);
    }
    case 'FixedSizeBinary': {
      const { size } = type;
      if (kernels.writeFixed(column.values, column.validity, start, count, size, body + at) === 0) {
        throw new DistqError('internal', `a FixedSizeBinary(${size}) column holds a value of another length`);
      }
      buffers.push(at, count * size);
      return padTo(body, at + count * size);
    }
    case 'Int':
    case 'Float':
    case 'Decimal':
    case 'NarrowDecimal':
    case 'Date':
    case 'Time':
    case 'Timestamp':
    case 'Duration':
    case 'Interval':
      return copyValues(column.values, layoutWidth(column.layout), start, count, body, at, buffers);
  }
}

function copyValues(
  values: number,
  width: number,
  start: number,
  count: number,
  body: number,
  at: number,
  buffers: number[],
): number {
  const bytes = count * width;
  heap.u8.copyWithin(body + at, values + start * width, values + start * width + bytes);
  buffers.push(at, bytes);
  return padTo(body, at + bytes);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Zeroes the bytes up to the next multiple of 8: memory is recycled, and what it held before does not belong on a wire. */
function padTo(body: number, offset: number): number {
  const end = padded(offset);
  if (end > offset) heap.u8.fill(0, body + offset, body + end);
  return end;
}
