import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import { cellText, isRightAligned, physicalRow, printable } from './cell-text.js';
import type { FormatOptions } from './index.js';

/** A Markdown table, streamed; stops after `maxRows` rows. */
export class MarkdownWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #maxRows: number;
  #count = 0;

  constructor(out: ByteWriter, { maxRows }: Pick<FormatOptions, 'maxRows'>) {
    this.#out = out;
    this.#maxRows = maxRows;
  }

  begin(schema: Schema): void {
    this.#count = 0;
    this.#line(schema.fields.map((f) => printable(f.name)));
    this.#line(schema.fields.map((f) => (isRightAligned(f.type) ? '---:' : '---')));
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    for (let i = from; i < to && this.#count < this.#maxRows; i++) {
      this.#count++;
      const row = physicalRow(batch, i);
      this.#line(batch.columns.map((column) => cellText(column, row)));
    }
  }

  end(): void {
    // The rows are all there is.
  }

  #line(cells: readonly string[]): void {
    this.#out.utf8(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`);
  }
}
