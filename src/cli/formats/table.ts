import Table from 'cli-table3';
import { countText } from '../../base/units.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import { cellText, isRightAligned, physicalRow, printable } from './cell-text.js';
import type { FormatOptions } from './index.js';

/** Rows that are laid out together: a longer table comes in sections of so many, each with its own head, so that it takes no memory. */
const SECTION_ROWS = 1_000;

/** A boxed table of at most `maxRows` rows; later rows are counted, not kept. */
export class TableWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #maxRows: number;
  #schema: Schema | undefined;
  /** Of the current section. */
  #rows: string[][] = [];
  #shown = 0;
  #count = 0;

  constructor(out: ByteWriter, { maxRows }: Pick<FormatOptions, 'maxRows'>) {
    this.#out = out;
    this.#maxRows = maxRows;
  }

  begin(schema: Schema): void {
    this.#schema = schema;
    this.#rows = [];
    this.#shown = 0;
    this.#count = 0;
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.#count++;
      if (this.#shown >= this.#maxRows) continue;
      if (this.#rows.length >= SECTION_ROWS) this.#section();
      this.#shown++;
      const row = physicalRow(batch, i);
      this.#rows.push(batch.columns.map((column) => cellText(column, row, { lines: true })));
    }
  }

  end(): void {
    this.#section();
    const total = `${countText(this.#count)} ${this.#count === 1 ? 'row' : 'rows'}`;
    const isCut = this.#shown < this.#count;
    this.#out.utf8(isCut ? `${total}, the first ${countText(this.#shown)} shown (--max-rows)\n` : `${total}\n`);
  }

  #section(): void {
    const fields = this.#schema?.fields ?? [];
    if (fields.length > 0) {
      const table = new Table({
        head: fields.map((f) => printable(f.name)),
        colAligns: fields.map((f) => (isRightAligned(f.type) ? 'right' : 'left')),
        style: { head: [], border: [], compact: true },
      });
      for (const row of this.#rows) table.push(row);
      this.#out.utf8(`${table.toString()}\n`);
    }
    this.#rows = [];
  }
}
