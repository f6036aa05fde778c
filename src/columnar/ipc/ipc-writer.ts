import type { Arena } from '../arena.js';
import { heap } from '../heap.js';
import type { RecordBatch } from '../record-batch.js';
import type { Schema } from '../schema.js';
import { IpcBatchEncoder } from './batch-encoder.js';
import { FlatbufferWriter } from './flatbuffer-writer.js';
import { END_OF_STREAM, type WireField, writeSchema } from './message.js';
import { wireType } from './wire-type.js';

/** `stream`: messages one after the other; `file`: the same between `ARROW1` and a footer that finds each batch. */
export type IpcContainer = 'stream' | 'file';

/**
 * Batches as Arrow IPC bytes for other programs: every column in its Arrow type (decimals as Decimal128, strings as Utf8), no
 * dictionaries, one schema. Write `begin()`, the bytes of each batch, `finish()`.
 */
export class IpcWriter {
  readonly #schema: Schema;
  readonly #container: IpcContainer;
  readonly #encoder: IpcBatchEncoder;
  readonly #blocks: { readonly offset: number; readonly metadata: number; readonly body: number }[] = [];
  #written = 0;

  constructor(schema: Schema, container: IpcContainer) {
    this.#schema = schema;
    this.#container = container;
    this.#encoder = new IpcBatchEncoder(schema, { form: 'file' });
  }

  begin(): Uint8Array {
    const schema = this.#encoder.start();
    const bytes = this.#container === 'file' ? Buffer.concat([MAGIC, Buffer.alloc(2), schema]) : schema;
    this.#written = bytes.length;
    return bytes;
  }

  /** The batch's bytes, as views that live as long as what `arena` holds now. */
  *batch(batch: RecordBatch, arena: Arena): Generator<Uint8Array> {
    for (const { address, bytes, bodyBytes } of this.#encoder.encode(batch, arena, (size) => arena.alloc(size))) {
      this.#blocks.push({ offset: this.#written, metadata: bytes - bodyBytes, body: bodyBytes });
      this.#written += bytes;
      yield heap.u8.subarray(address, address + bytes);
    }
  }

  finish(): Uint8Array {
    if (this.#container === 'stream') return END_OF_STREAM;
    const footer = this.#footer();
    const length = Buffer.alloc(4);
    length.writeInt32LE(footer.length);
    return Buffer.concat([END_OF_STREAM, footer, length, MAGIC]);
  }

  #footer(): Uint8Array {
    const writer = new FlatbufferWriter();
    const fields = this.#schema.fields.map(
      ({ name, nullable, type }): WireField => ({ name, nullable, type: wireType(type, 'i128'), dictionary: null }),
    );
    const schema = writeSchema(writer, fields);
    const dictionaries = writer.blocks([]);
    const batches = writer.blocks(this.#blocks);
    writer.startTable(4);
    writer.addOffset(1, schema);
    writer.addOffset(2, dictionaries);
    writer.addOffset(3, batches);
    writer.addInt16(0, 4);
    return writer.finish(writer.endTable());
  }
}

const MAGIC = Buffer.from('ARROW1');
