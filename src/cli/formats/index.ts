import type { RowWriter } from '../../columnar/text/row-writer.js';
import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import { ArrowWriter } from '../../sources/arrow/arrow-writer.js';
import { CsvWriter } from '../../sources/csv/csv-writer.js';
import { JsonWriter } from '../../sources/json/json-writer.js';
import type { Terminal } from '../terminal.js';
import { MarkdownWriter } from './markdown.js';
import { NoneWriter } from './none.js';
import { TableWriter } from './table.js';
import { VerticalWriter } from './vertical.js';

export interface FormatOptions {
  readonly maxRows: number;
  readonly jsonNumbers: 'exact' | 'string';
  readonly terminal: Terminal;
}

/** Every `--format`: one line each; the help text and the list of choices follow from it. */
export const FORMATS = {
  table: (out: ByteWriter, options: FormatOptions): RowWriter => new TableWriter(out, options),
  markdown: (out: ByteWriter, options: FormatOptions): RowWriter => new MarkdownWriter(out, options),
  vertical: (out: ByteWriter, options: FormatOptions): RowWriter => new VerticalWriter(out, options),
  csv: (out: ByteWriter): RowWriter => new CsvWriter(out, { delimiter: ',' }),
  tsv: (out: ByteWriter): RowWriter => new CsvWriter(out, { delimiter: '\t' }),
  json: (out: ByteWriter, options: FormatOptions): RowWriter =>
    new JsonWriter(out, { form: 'array', numbers: options.jsonNumbers }),
  ndjson: (out: ByteWriter, options: FormatOptions): RowWriter =>
    new JsonWriter(out, { form: 'lines', numbers: options.jsonNumbers }),
  arrow: (out: ByteWriter): RowWriter => new ArrowWriter(out),
  none: (): RowWriter => new NoneWriter(),
} as const;

export type FormatName = keyof typeof FORMATS;

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}
