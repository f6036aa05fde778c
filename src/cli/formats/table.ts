import Table from 'cli-table3';
import { countText } from '../../base/units.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import { cellText, isRightAligned, physicalRow, printable } from './cell-text.js';
import type { FormatOptions } from './index.js';

/** A boxed table of at most `maxRows` rows; later rows are counted, not kept. */
export class TableWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #maxRows: number;
  #schema: Schema | undefined;
  #rows: string[][] = [];
  #count = 0;

  constructor(out: ByteWriter, { maxRows }: Pick<FormatOptions, 'maxRows'>) {
    this.#out = out;
    this.#maxRows = maxRows;
  }

  begin(schema: Schema): void {
    this.#schema = schema;
    this.#rows = [];
    this.#count = 0;
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.#count++;
      if (this.#rows.length >= this.#maxRows) continue;
      const row = physicalRow(batch, i);
      this.#rows.push(batch.columns.map((column) => cellText(column, row, { lines: true })));
    }
  }

  end(): void {
    const fields = this.#schema?.fields ?? [];
    if (fields.length > 0) {
      const table = new Table({
        head: fields.map((f) => printable(f.name)),
        colAligns: fields.map((f) => (isRightAligned(f.type) ? 'right' : 'left')),
        style: { head: [], border: [], compact: true },
      });
      table.push(...this.#rows);
      this.#out.utf8(`${table.toString()}\n`);
    }
    const shown = this.#rows.length;
    const total = `${countText(this.#count)} ${this.#count === 1 ? 'row' : 'rows'}`;
    this.#out.utf8(shown < this.#count ? `${total}, the first ${countText(shown)} shown (--max-rows)\n` : `${total}\n`);
  }
}
