import { Arena } from '../../columnar/arena.js';
import { IpcWriter } from '../../columnar/ipc/ipc-writer.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { sliceRows } from '../../columnar/slice-rows.js';
import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';

/** Arrow IPC in its stream form: what `pyarrow.ipc.open_stream` and DuckDB's `read_arrow` take from a pipe. */
export class ArrowWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #arena = new Arena();
  #ipc: IpcWriter | undefined;

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  begin(schema: Schema): void {
    this.#ipc = new IpcWriter(schema, 'stream');
    this.#out.bytes(this.#ipc.begin());
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    if (this.#ipc === undefined) return;
    this.#arena.reset();
    for (const piece of this.#ipc.batch(sliceRows(batch, from, to, this.#arena), this.#arena)) this.#out.bytes(piece);
  }

  end(): void {
    if (this.#ipc !== undefined) this.#out.bytes(this.#ipc.finish());
    this.#arena.free();
  }
}
