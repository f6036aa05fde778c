import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import { type CellStyle, cellWriter } from '../../columnar/text/cell-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import { formatFloat } from '../../columnar/format-value.js';
import { heap } from '../../columnar/heap.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { isNullAt } from '../../columnar/value-at.js';

export interface CsvOptions {
  /** One ASCII character: `,` or a tab. */
  readonly delimiter: ',' | '\t';
}

const QUOTE = 0x22;

/**
 * RFC 4180 with LF line ends and a header line. NULL is empty and unquoted, an empty string is `""`; fields are quoted only where
 * the delimiter, a quote or a line break asks for it.
 */
export class CsvWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #delimiter: number;

  constructor(out: ByteWriter, { delimiter }: CsvOptions) {
    this.#out = out;
    this.#delimiter = delimiter.charCodeAt(0);
  }

  begin(schema: Schema): void {
    schema.fields.forEach(({ name }, index) => {
      if (index > 0) this.#out.byte(this.#delimiter);
      this.#text(name);
    });
    this.#out.byte(0x0a);
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    const out = this.#out;
    const style = this.#style();
    const writers = batch.columns.map((column) => cellWriter(column, out, style));
    for (let i = from; i < to; i++) {
      const row = batch.selection === 0 ? i : heap.u32[(batch.selection >>> 2) + i]!;
      for (let c = 0; c < writers.length; c++) {
        if (c > 0) out.byte(this.#delimiter);
        if (!isNullAt(batch.columns[c]!, row)) writers[c]!(row);
      }
      out.byte(0x0a);
    }
  }

  end(): void {
    // The header and the rows are all there is.
  }

  #style(): CellStyle {
    const out = this.#out;
    return {
      number(digits) {
        out.ascii(digits);
      },
      float(value, single) {
        if (Number.isFinite(value)) out.ascii(formatFloat(value, single));
        else out.ascii(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');
      },
      text: (value) => {
        this.#text(value);
      },
      string: (address, length) => {
        if (this.#isPlain(address, length)) out.heapBytes(address, length);
        else this.#text(Buffer.from(heap.memory.buffer, address, length).toString('utf8'));
      },
      binary(bytes) {
        out.ascii(Buffer.from(bytes).toString('hex'));
      },
    };
  }

  #text(value: string): void {
    const delimiter = String.fromCharCode(this.#delimiter);
    const quoted = value === '' || /["\r\n]/.test(value) || value.includes(delimiter) || /^\s|\s$/.test(value);
    this.#out.utf8(quoted ? `"${value.replaceAll('"', '""')}"` : value);
  }

  /** True for non-empty printable ASCII without delimiter, quote or outer blanks. */
  #isPlain(address: number, length: number): boolean {
    const { u8 } = heap;
    if (length === 0 || u8[address] === 0x20 || u8[address + length - 1] === 0x20) return false;
    for (let i = address; i < address + length; i++) {
      const byte = u8[i]!;
      if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === this.#delimiter) return false;
    }
    return true;
  }
}
