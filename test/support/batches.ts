import { Arena } from '../../src/columnar/arena.js';
import { Column, makeDictionary } from '../../src/columnar/column.js';
import { batchFromRows, columnFromValues } from '../../src/columnar/from-values.js';
import { heap } from '../../src/columnar/heap.js';
import { RecordBatch } from '../../src/columnar/record-batch.js';
import type { ScalarValue } from '../../src/columnar/scalar-value.js';
import type { Schema } from '../../src/columnar/schema.js';
import { physicalRow, valueAt } from '../../src/columnar/value-at.js';

export type Value = ScalarValue['value'];
export type Row = readonly Value[];

/** How `batch` lays columns out: the rows are the same, the representation differs. */
export type Representation = 'flat' | 'dictionary' | 'constant' | 'selected';

/** A batch of these rows in the arena. `constant` needs equal rows; `selected` puts garbage rows between the wanted ones. */
export function batch(
  schema: Schema,
  rows: readonly Row[],
  arena: Arena,
  representation: Representation = 'flat',
): RecordBatch {
  switch (representation) {
    case 'flat':
      return batchFromRows(schema, rows, arena);
    case 'dictionary':
      return new RecordBatch(
        schema,
        schema.fields.map((f, c) =>
          dictionaryColumn(
            f.type,
            rows.map((row) => row[c]!),
            arena,
          ),
        ),
        rows.length,
      );
    case 'constant':
      return new RecordBatch(
        schema,
        schema.fields.map((f, c) => {
          if (rows.length === 0) return Column.nulls(f.type, 'i64', 0);
          const one = columnFromValues(f.type, [rows[0]![c]!], arena);
          return one.hasNulls
            ? Column.nulls(f.type, one.layout, rows.length)
            : Column.constant(f.type, one.layout, rows.length, one.values);
        }),
        rows.length,
      );
    case 'selected': {
      const spread = rows.flatMap((row, r) => [rows[(r * 7 + 3) % rows.length]!, row, rows[0]!]);
      const dense = batchFromRows(schema, spread, arena);
      const selection = arena.alloc(rows.length * 4);
      for (let r = 0; r < rows.length; r++) heap.u32[(selection >>> 2) + r] = r * 3 + 1;
      if (rows.length === 0) return dense;
      return dense.withSelection(selection, rows.length);
    }
  }
}

function dictionaryColumn(type: Schema['fields'][number]['type'], values: readonly Value[], arena: Arena): Column {
  const distinct: Value[] = [];
  const positions = new Map<string, number>();
  const codes = values.map((value) => {
    if (value === null) return 0;
    const key = keyOf(value);
    let position = positions.get(key);
    if (position === undefined) {
      position = distinct.length;
      distinct.push(value);
      positions.set(key, position);
    }
    return position;
  });
  const flat = columnFromValues(type, values, arena);
  if (flat.layout === 'null' || distinct.length === 0) return Column.nulls(type, flat.layout, values.length);
  const dictionary = columnFromValues(type, distinct, arena);
  const address = arena.alloc(codes.length * 4);
  heap.u32.set(codes, address >>> 2);
  return Column.dictionary(
    type,
    makeDictionary(dictionary.layout, dictionary.values, distinct.length),
    values.length,
    address,
    flat.validity,
  );
}

/** A text that differs for values that differ, for maps of test oracles (NaN, −0 and bytes included). */
function keyOf(value: Value): string {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'object' && value !== null) return `interval:${value.months}/${value.days}/${value.nanos}`;
  return `${typeof value}:${Object.is(value, -0) ? '-0' : String(value)}`;
}

/** The selected rows as JavaScript values, in order. */
export function rowsOf(source: RecordBatch): Value[][] {
  return Array.from({ length: source.numRows }, (_, index) => {
    const row = physicalRow(source, index);
    return source.columns.map((column) => valueAt(column, row));
  });
}

/** Runs `body` with an arena that is freed afterwards. */
export function withArena<T>(body: (arena: Arena) => T): T {
  const arena = new Arena();
  try {
    return body(arena);
  } finally {
    arena.free();
  }
}

/** Small deterministic generator: the same seed gives the same numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** As `withArena` for work that awaits. */
export async function withArenaAsync(body: (arena: Arena) => Promise<void>): Promise<void> {
  const arena = new Arena();
  try {
    await body(arena);
  } finally {
    arena.free();
  }
}
