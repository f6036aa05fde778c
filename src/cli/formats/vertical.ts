import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import { cellText, physicalRow, printable } from './cell-text.js';
import type { FormatOptions } from './index.js';

/** One line per column, a heading per row: for wide rows. Stops after `maxRows` rows. */
export class VerticalWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #maxRows: number;
  #names: string[] = [];
  #count = 0;

  constructor(out: ByteWriter, { maxRows }: Pick<FormatOptions, 'maxRows'>) {
    this.#out = out;
    this.#maxRows = maxRows;
  }

  begin(schema: Schema): void {
    const width = Math.max(0, ...schema.fields.map((f) => printable(f.name).length));
    this.#names = schema.fields.map((f) => printable(f.name).padStart(width));
    this.#count = 0;
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    for (let i = from; i < to && this.#count < this.#maxRows; i++) {
      this.#count++;
      const row = physicalRow(batch, i);
      this.#out.utf8(`-[ row ${this.#count} ]-\n`);
      batch.columns.forEach((column, c) => {
        const name = this.#names[c] ?? '';
        const text = cellText(column, row, { lines: true }).replaceAll('\n', `\n${' '.repeat(name.length + 2)}`);
        this.#out.utf8(`${name}: ${text}\n`);
      });
    }
  }

  end(): void {
    // The rows are all there is.
  }
}
