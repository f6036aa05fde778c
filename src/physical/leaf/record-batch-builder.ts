import { DistqError } from '../../base/errors.js';
import { Arena } from '../../columnar/arena.js';
import { MAX_BATCH_BYTES } from '../../columnar/batch-builder.js';
import { type Field, typeName } from '../../columnar/data-type.js';
import { columnFromValues } from '../../columnar/from-values.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { Schema } from '../../columnar/schema.js';
import { engineValue, type PlainValue } from './plain-value.js';

/** A row: its values in the order of the columns, or by column name; a name left out is NULL. */
export type PlainRow = readonly PlainValue[] | { readonly [column: string]: PlainValue };

export interface RecordBatchBuilderOptions {
  /** Who gives the rows, for messages. */
  readonly owner: string;
  /** Accounts for the batches' bytes. */
  readonly memory?: MemoryConsumer;
  /** Rows after which a batch is full. */
  readonly maxRows?: number;
}

/**
 * Makes batches of rows that are written in JavaScript. A value that does not fit its column is an `execution` error that names row,
 * column and type.
 */
export class RecordBatchBuilder {
  readonly schema: Schema;
  readonly #owner: string;
  readonly #maxRows: number;
  readonly #arena: Arena;
  #columns: ScalarValue['value'][][];
  readonly #positions: ReadonlyMap<string, number>;
  #numRows = 0;
  #bytes = 0;
  /** Rows of earlier batches, so that messages count through. */
  #before = 0;

  constructor(schema: Schema, { owner, memory, maxRows = 8192 }: RecordBatchBuilderOptions) {
    this.schema = schema;
    this.#owner = owner;
    this.#maxRows = maxRows;
    this.#arena = new Arena(memory);
    this.#columns = schema.fields.map(() => []);
    this.#positions = new Map(schema.fields.map(({ name }, index) => [name, index]));
  }

  get numRows(): number {
    return this.#numRows;
  }

  /** Whether the next row belongs to another batch. */
  get isFull(): boolean {
    return this.#numRows >= this.#maxRows || this.#bytes >= MAX_BATCH_BYTES;
  }

  append(row: PlainRow): void {
    const values = isList(row) ? row : this.#inOrder(row);
    if (values.length !== this.schema.length) {
      throw this.#wrong(`has ${values.length} values for ${this.schema.length} columns`);
    }
    for (const [index, field] of this.schema.fields.entries()) {
      this.#columns[index]?.push(this.#value(values[index], field));
    }
    this.#numRows++;
  }

  /** The rows appended since the last call, as a batch that is valid until the next call or `free`. */
  take(): RecordBatch {
    this.#arena.reset();
    const columns = this.schema.fields.map(({ type }, index) =>
      columnFromValues(type, this.#columns[index] ?? [], this.#arena),
    );
    const batch = new RecordBatch(this.schema, columns, this.#numRows);
    this.#columns = this.schema.fields.map(() => []);
    this.#before += this.#numRows;
    this.#numRows = 0;
    this.#bytes = 0;
    return batch;
  }

  free(): void {
    this.#arena.free();
  }

  #inOrder(row: { readonly [column: string]: PlainValue }): PlainValue[] {
    const values: PlainValue[] = new Array<PlainValue>(this.schema.length).fill(null);
    for (const [name, value] of Object.entries(row)) {
      const position = this.#positions.get(name);
      if (position === undefined) throw this.#wrong(`has a value for "${name}", which is none of its columns`);
      values[position] = value;
    }
    return values;
  }

  #value(value: PlainValue, { name, type, nullable }: Field): ScalarValue['value'] {
    if (value === null || value === undefined) {
      if (!nullable) throw this.#wrong(`has no value for "${name}", which is never null`);
      return null;
    }
    const converted = engineValue(value, type);
    if (converted === undefined) throw this.#wrong(`has ${shown(value)} for "${name}" of type ${typeName(type)}`);
    if (typeof converted === 'string') this.#bytes += converted.length;
    else if (converted instanceof Uint8Array) this.#bytes += converted.length;
    return converted;
  }

  #wrong(what: string): DistqError {
    return new DistqError('execution', `row ${this.#before + this.#numRows} that ${this.#owner} gives ${what}`, {
      hint: 'rows count from 0; give values that fit the schema',
    });
  }
}

function isList(row: PlainRow): row is readonly PlainValue[] {
  return Array.isArray(row);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'object' && value !== null) {
    // Whatever a plug-in hands over: a class of its own says what it is by name.
    return value instanceof Date && Number.isNaN(value.getTime()) ? 'an invalid Date' : `a ${value.constructor.name}`;
  }
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
