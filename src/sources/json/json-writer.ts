import type { ByteWriter } from '../../columnar/text/byte-writer.js';
import { type CellStyle, cellWriter } from '../../columnar/text/cell-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import { formatFloat } from '../../columnar/format-value.js';
import { heap } from '../../columnar/heap.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { isNullAt } from '../../columnar/value-at.js';

export interface JsonOptions {
  /** `array`: one JSON array of objects per result; `lines`: one object per line. */
  readonly form: 'array' | 'lines';
  /** `string` quotes int64, uint64 and decimals, for readers built on doubles. */
  readonly numbers: 'exact' | 'string';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Rows as JSON objects with exact, unquoted digits. Non-finite floats are the strings "NaN", "Infinity", "-Infinity"; binaries are
 * "0x…"; a repeated column name gets `:1`, `:2`, … A key is always present.
 */
export class JsonWriter implements RowWriter {
  readonly #out: ByteWriter;
  readonly #options: JsonOptions;
  #keys: string[] = [];
  #count = 0;

  constructor(out: ByteWriter, options: JsonOptions) {
    this.#out = out;
    this.#options = options;
  }

  begin(schema: Schema): void {
    this.#keys = distinctNames(schema).map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
    this.#count = 0;
    if (this.#options.form === 'array') this.#out.ascii('[');
  }

  rows(batch: RecordBatch, from: number, to: number): void {
    const out = this.#out;
    const style = jsonStyle(out, this.#options.numbers === 'string');
    const writers = batch.columns.map((column) => cellWriter(column, out, style));
    const lines = this.#options.form === 'lines';
    for (let i = from; i < to; i++) {
      const row = batch.selection === 0 ? i : heap.u32[(batch.selection >>> 2) + i]!;
      if (!lines) out.ascii(this.#count === 0 ? '\n' : ',\n');
      this.#count++;
      out.byte(0x7b);
      for (let c = 0; c < writers.length; c++) {
        out.utf8(this.#keys[c]!);
        if (isNullAt(batch.columns[c]!, row)) out.ascii('null');
        else writers[c]!(row);
      }
      out.byte(0x7d);
      if (lines) out.byte(0x0a);
    }
  }

  end(): void {
    if (this.#options.form === 'array') this.#out.ascii(this.#count === 0 ? ']\n' : '\n]\n');
  }
}

/** Column names made distinct: the second `a` is `a:1`. */
function distinctNames(schema: Schema): string[] {
  const taken = new Set<string>();
  return schema.fields.map(({ name }) => {
    let candidate = name;
    for (let n = 1; taken.has(candidate); n++) candidate = `${name}:${n}`;
    taken.add(candidate);
    return candidate;
  });
}

function jsonStyle(out: ByteWriter, quoteWide: boolean): CellStyle {
  return {
    number(digits, wide) {
      if (wide && quoteWide) {
        out.byte(QUOTE);
        out.ascii(digits);
        out.byte(QUOTE);
      } else {
        out.ascii(digits);
      }
    },
    float(value, single) {
      if (Number.isFinite(value)) out.ascii(jsonFloat(value, single));
      else out.ascii(Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"');
    },
    text(value) {
      out.utf8(JSON.stringify(value));
    },
    string(address, length) {
      if (isPlain(address, length)) {
        out.byte(QUOTE);
        out.heapBytes(address, length);
        out.byte(QUOTE);
      } else {
        // Escapes, and replaces invalid UTF-8: only printed output does.
        out.utf8(JSON.stringify(Buffer.from(heap.memory.buffer, address, length).toString('utf8')));
      }
    },
    binary(bytes) {
      out.ascii(`"0x${Buffer.from(bytes).toString('hex')}"`);
    },
  };
}

/** Shortest round-trip text; JSON has no use for the `.0` of whole numbers, but −0 keeps its sign. */
function jsonFloat(value: number, single: boolean): string {
  const text = formatFloat(value, single);
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

/** True when the bytes are ASCII without anything JSON escapes. */
function isPlain(address: number, length: number): boolean {
  const { u8 } = heap;
  for (let i = address; i < address + length; i++) {
    const byte = u8[i]!;
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}
