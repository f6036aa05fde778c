import { type RecordBatch as ArrowRecordBatch, RecordBatchReader } from 'apache-arrow';
import { Arena } from '../arena.js';
import { IpcWriter } from '../ipc/ipc-writer.js';
import type { RecordBatch } from '../record-batch.js';
import type { Schema } from '../schema.js';

export type { ArrowRecordBatch };

/**
 * Engine batches as apache-arrow's, for people who embed distq: copies that stay valid. One object per stream of batches; nothing is
 * kept between batches, so its cost per batch is one encoding and one reading of an IPC stream.
 */
export class ArrowConverter {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** The rows of one engine batch; several pieces where one would pass the frame size. */
  convert(batch: RecordBatch): ArrowRecordBatch[] {
    const arena = new Arena();
    try {
      const writer = new IpcWriter(this.#schema, 'stream');
      const pieces: Uint8Array[] = [writer.begin()];
      // Copied out of the arena at once: the views end with it.
      for (const piece of writer.batch(batch, arena)) pieces.push(Uint8Array.from(piece));
      pieces.push(writer.finish());
      return [...RecordBatchReader.from(Buffer.concat(pieces))];
    } finally {
      arena.free();
    }
  }
}
