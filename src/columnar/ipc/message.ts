import { heap } from '../heap.js';
import { FlatTable, malformedIpc } from './flatbuffer-reader.js';
import { FlatbufferWriter } from './flatbuffer-writer.js';
import { DECIMAL_EXTENSION, readWireType, type WireType, writeInt, writeWireType } from './wire-type.js';

/** A field of a schema message. `dictionary` is the id its dictionary batches carry, or null when values travel. */
export interface WireField {
  readonly name: string;
  readonly nullable: boolean;
  readonly type: WireType;
  readonly dictionary: number | null;
}

export const HEADER_SCHEMA = 1;
export const HEADER_DICTIONARY = 2;
export const HEADER_BATCH = 3;
/** MetadataVersion V5. */
const VERSION = 4;
const CONTINUATION = 0xffffffff;
/** Continuation marker and metadata length. */
const PREFIX_BYTES = 8;
/** Marks the end of an IPC stream: a continuation and a metadata length of 0. */
export const END_OF_STREAM: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Bytes of the heap, unaligned. */
export const heapView: DataView = new DataView(heap.memory.buffer);

/** A whole schema message, framed; its length is a multiple of 8. */
export function schemaMessage(fields: readonly WireField[]): Uint8Array {
  const writer = new FlatbufferWriter();
  const schema = writeSchema(writer, fields);
  return framed(finishMessage(writer, HEADER_SCHEMA, schema, 0));
}

/** The schema table alone, for a file's footer. */
export function writeSchema(writer: FlatbufferWriter, fields: readonly WireField[]): number {
  const tables = fields.map((field) => writeField(writer, field));
  const list = writer.offsets(tables);
  writer.startTable(2);
  writer.addInt16(0, 0);
  writer.addOffset(1, list);
  return writer.endTable();
}

function writeField(writer: FlatbufferWriter, field: WireField): number {
  const name = writer.string(field.name);
  const { tag, at: type } = writeWireType(field.type, writer);
  let dictionary = 0;
  if (field.dictionary !== null) {
    const codes = writeInt(writer, 32, true);
    writer.startTable(3);
    writer.addInt64(0, field.dictionary);
    writer.addOffset(1, codes);
    dictionary = writer.endTable();
  }
  const children = writer.offsets([]);
  let metadata = 0;
  if (field.type.kind === 'NarrowDecimal') {
    const pairs = [
      ['ARROW:extension:name', DECIMAL_EXTENSION],
      ['ARROW:extension:metadata', `${field.type.precision},${field.type.scale}`],
    ] as const;
    const tables = pairs.map(([key, value]) => {
      const keyText = writer.string(key);
      const valueText = writer.string(value);
      writer.startTable(2);
      writer.addOffset(0, keyText);
      writer.addOffset(1, valueText);
      return writer.endTable();
    });
    metadata = writer.offsets(tables);
  }
  writer.startTable(7);
  writer.addOffset(0, name);
  writer.addInt8(1, field.nullable ? 1 : 0);
  writer.addInt8(2, tag);
  writer.addOffset(3, type);
  if (dictionary !== 0) writer.addOffset(4, dictionary);
  writer.addOffset(5, children);
  if (metadata !== 0) writer.addOffset(6, metadata);
  return writer.endTable();
}

export function readSchema(schema: FlatTable): WireField[] {
  if (schema.int16(0) !== 0) throw malformedIpc('big-endian values');
  return schema.tables(1).map((field) => {
    const pairs = new Map(field.tables(6).map((pair) => [pair.text(0), pair.text(1)]));
    const extension = {
      name: pairs.get('ARROW:extension:name') ?? '',
      metadata: pairs.get('ARROW:extension:metadata') ?? '',
    };
    const encoding = field.table(4);
    if (encoding !== undefined) {
      const codes = encoding.table(1);
      const signedInt32 = codes === undefined || (codes.int32(0) === 32 && codes.bool(1));
      if (!signedInt32) throw malformedIpc('dictionary codes that are not Int32');
    }
    return {
      name: field.text(0),
      nullable: field.bool(1),
      type: readWireType(field.int8(2), field.requireTable(3, 'a field type'), extension),
      dictionary: encoding === undefined ? null : encoding.int64(0),
    };
  });
}

function finishMessage(writer: FlatbufferWriter, header: number, table: number, bodyBytes: number): Uint8Array {
  writer.startTable(4);
  writer.addInt64(3, bodyBytes);
  writer.addOffset(2, table);
  writer.addInt16(0, VERSION);
  writer.addInt8(1, header);
  return writer.finish(writer.endTable());
}

function framed(metadata: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(PREFIX_BYTES + metadata.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, CONTINUATION, true);
  view.setInt32(4, metadata.length, true);
  bytes.set(metadata, PREFIX_BYTES);
  return bytes;
}

/**
 * The message of a record batch (or of a dictionary batch) with given counts of nodes and buffers. Its bytes differ from batch to batch
 * only in a few numbers, so they are made once and patched (26 µs a frame in the lab, against 2,600 for a general writer that copies).
 */
export class BatchMessage {
  readonly #bytes: Uint8Array;
  readonly #rowsAt: number;
  readonly #bodyAt: number;
  readonly #nodesAt: number;
  readonly #buffersAt: number;

  constructor(nodeCount: number, bufferCount: number, dictionary: number | null = null) {
    const writer = new FlatbufferWriter();
    const nodes = writer.int64Structs(new Array<number>(nodeCount * 2).fill(0), 2);
    const buffers = writer.int64Structs(new Array<number>(bufferCount * 2).fill(0), 2);
    writer.startTable(3);
    writer.addInt64(0, 0);
    writer.addOffset(1, nodes);
    writer.addOffset(2, buffers);
    let header = writer.endTable();
    if (dictionary !== null) {
      writer.startTable(2);
      writer.addInt64(0, dictionary);
      writer.addOffset(1, header);
      header = writer.endTable();
    }
    this.#bytes = framed(finishMessage(writer, dictionary === null ? HEADER_BATCH : HEADER_DICTIONARY, header, 0));
    const view = new DataView(this.#bytes.buffer);
    const message = FlatTable.root(view, PREFIX_BYTES, this.#bytes.length);
    const table = message.requireTable(2, 'the header');
    const batch = dictionary === null ? table : table.requireTable(1, 'the batch');
    this.#bodyAt = message.fieldAt(3);
    this.#rowsAt = batch.fieldAt(0);
    this.#nodesAt = batch.structs(1, 16).at;
    this.#buffersAt = batch.structs(2, 16).at;
  }

  /** Bytes of the framed message without its body. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  /**
   * Writes the message at a heap address. `nodes` are (rows, nulls) pairs, `buffers` (offset, length) pairs relative to the body, which
   * starts `byteLength` bytes after `at`.
   */
  write(at: number, rows: number, bodyBytes: number, nodes: readonly number[], buffers: readonly number[]): void {
    heap.u8.set(this.#bytes, at);
    putInt64(at + this.#rowsAt, rows);
    putInt64(at + this.#bodyAt, bodyBytes);
    for (let i = 0; i < nodes.length; i++) putInt64(at + this.#nodesAt + i * 8, nodes[i]!);
    for (let i = 0; i < buffers.length; i++) putInt64(at + this.#buffersAt + i * 8, buffers[i]!);
  }
}

function putInt64(at: number, value: number): void {
  heapView.setUint32(at, value >>> 0, true);
  heapView.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}

/** One message of a run of them in the heap. */
export interface ParsedMessage {
  readonly header: number;
  readonly table: FlatTable;
  /** Address and length of the body. */
  readonly body: number;
  readonly bodyBytes: number;
  /** Address after the body. */
  readonly next: number;
}

/** Reads the message at a heap address, or undefined at an end-of-stream marker. `end` is where the run ends. */
export function readMessage(at: number, end: number): ParsedMessage | undefined {
  if (at + PREFIX_BYTES > end) throw malformedIpc('a message that is cut off');
  if (heapView.getUint32(at, true) !== CONTINUATION) throw malformedIpc('a message without its marker');
  const metadataBytes = heapView.getInt32(at + 4, true);
  if (metadataBytes === 0) return undefined;
  const start = at + PREFIX_BYTES;
  if (metadataBytes < 0 || start + metadataBytes > end) throw malformedIpc('metadata that is cut off');
  const message = FlatTable.root(heapView, start, start + metadataBytes);
  if (message.int16(0) !== VERSION) throw malformedIpc(`metadata version ${message.int16(0)}`);
  const bodyBytes = message.int64(3);
  const body = start + metadataBytes;
  if (body + bodyBytes > end) throw malformedIpc('a body that is cut off');
  return {
    header: message.int8(1),
    table: message.requireTable(2, 'the message header'),
    body,
    bodyBytes,
    next: body + bodyBytes,
  };
}
