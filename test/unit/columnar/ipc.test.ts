import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { DistqError } from '../../../src/base/errors.js';
import { Arena } from '../../../src/columnar/arena.js';
import { Column, makeDictionary } from '../../../src/columnar/column.js';
import { decimal, field, INT32, INT64, UTF8, UTF8_VIEW } from '../../../src/columnar/data-type.js';
import { batchFromRows, columnFromValues } from '../../../src/columnar/from-values.js';
import { heap } from '../../../src/columnar/heap.js';
import { IpcBatchDecoder } from '../../../src/columnar/ipc/batch-decoder.js';
import { IpcBatchEncoder } from '../../../src/columnar/ipc/batch-encoder.js';
import { IpcWriter } from '../../../src/columnar/ipc/ipc-writer.js';
import { END_OF_STREAM } from '../../../src/columnar/ipc/message.js';
import { RecordBatch } from '../../../src/columnar/record-batch.js';
import type { ScalarValue } from '../../../src/columnar/scalar-value.js';
import { EMPTY_SCHEMA, Schema } from '../../../src/columnar/schema.js';
import { type BatchPlan, batchPlan, batchRows, makeBatch, planSchema } from '../../support/random-batch.js';

function encodeAll(encoder: IpcBatchEncoder, batch: RecordBatch, arena: Arena): Uint8Array[] {
  return [...encoder.encode(batch, arena, (bytes) => arena.alloc(bytes))].map(({ address, bytes }) =>
    heap.u8.slice(address, address + bytes),
  );
}

function decodeAll(decoder: IpcBatchDecoder, pieces: readonly Uint8Array[], arena: Arena): ScalarValue['value'][][] {
  return pieces.flatMap((piece) => {
    const address = arena.alloc(piece.length);
    heap.u8.set(piece, address);
    return batchRows(decoder.decode(address, piece.length, arena));
  });
}

function inArena<T>(work: (arena: Arena) => T): T {
  const arena = new Arena();
  try {
    return work(arena);
  } finally {
    arena.free();
  }
}

/** Two batches of one schema: the second replaces dictionaries and representations of the first. */
const twoBatches: fc.Arbitrary<readonly [BatchPlan, BatchPlan]> = batchPlan().chain((first) =>
  fc.tuple(
    fc.constant(first),
    fc.record({
      capacity: fc.constant(first.capacity),
      selection: fc.constant(null),
      columns: fc.tuple(
        ...first.columns.map((column) =>
          fc
            .constantFrom<(typeof column)['encoding']>('flat', 'dictionary')
            .map((encoding) => ({ ...column, encoding, values: column.values.toReversed() })),
        ),
      ),
    }),
  ),
);

test('batches of every type and representation come back as they went, in pieces of any size', () => {
  fc.assert(
    fc.property(twoBatches, fc.constantFrom(1, 200, 1 << 24), (plans, maxBytes) => {
      inArena((arena) => {
        const schema = planSchema(plans[0]);
        const encoder = new IpcBatchEncoder(schema, { maxBytes });
        const decoder = new IpcBatchDecoder(schema);
        for (const plan of plans) {
          const batch = makeBatch(plan, arena, schema);
          const rows = decodeAll(decoder, encodeAll(encoder, batch, arena), arena);
          assert.deepEqual(rows, batchRows(batch));
        }
        decoder.close();
      });
    }),
    { numRuns: 400 },
  );
});

test('apache-arrow reads the exchange form as a stream', () => {
  fc.assert(
    fc.property(batchPlan(), (plan) => {
      // apache-arrow 21 turns these into JavaScript dates, and refuses those that a double cannot hold.
      const unread = new Set(['Interval', 'Date32', 'Date64', 'Timestamp']);
      const columns = plan.columns.filter(({ type }) => !unread.has(type.kind));
      if (columns.length === 0) return;
      inArena((arena) => {
        const readable = { ...plan, columns };
        const batch = makeBatch(readable, arena);
        const encoder = new IpcBatchEncoder(batch.schema, { maxBytes: 300 });
        const table = arrow.tableFromIPC(Buffer.concat([...encodeAll(encoder, batch, arena), END_OF_STREAM]));
        const rows = batchRows(batch);
        assert.equal(table.numRows, rows.length);
        for (const [index, { type }] of columns.entries()) {
          const vector = table.getChildAt(index);
          assert.ok(vector !== null);
          for (const [row, values] of rows.entries()) {
            const expected = values[index] ?? null;
            const actual: unknown = vector.get(row);
            if (expected === null || actual === null) {
              assert.equal(actual, expected, `${type.kind} at row ${row}`);
              continue;
            }
            if (actual instanceof Uint8Array && expected instanceof Uint8Array) {
              assert.deepEqual(Buffer.from(actual), Buffer.from(expected));
            } else if (type.kind !== 'Decimal128' || type.precision <= 18) {
              assert.deepEqual(actual, expected, `${type.kind} at row ${row}`);
            }
          }
        }
      });
    }),
    { numRuns: 200 },
  );
});

test('narrow decimals are Int64 with an extension in the exchange and Decimal128 in files', () => {
  inArena((arena) => {
    const schema = new Schema([field('d', decimal(15, 2)), field('w', decimal(38, 4))]);
    const rows = [
      [12345n, -(10n ** 30n)],
      [null, 7n],
    ] as const;
    const batch = batchFromRows(schema, rows, arena);
    const exchange = arrow.tableFromIPC(Buffer.concat(encodeAll(new IpcBatchEncoder(schema), batch, arena)));
    assert.equal(String(exchange.schema.fields[0]?.type), 'Int64');
    assert.equal(exchange.schema.fields[0]?.metadata.get('ARROW:extension:name'), 'distq.decimal');
    assert.equal(exchange.schema.fields[0].metadata.get('ARROW:extension:metadata'), '15,2');
    assert.equal(exchange.getChildAt(0)?.get(0), 12345n);

    for (const container of ['stream', 'file'] as const) {
      const writer = new IpcWriter(schema, container);
      const parts = [Buffer.from(writer.begin())];
      for (const part of writer.batch(batch, arena)) parts.push(Buffer.from(part));
      for (const part of writer.batch(batch, arena)) parts.push(Buffer.from(part));
      parts.push(Buffer.from(writer.finish()));
      const table = arrow.tableFromIPC(Buffer.concat(parts));
      assert.equal(table.numRows, 4);
      const [narrow, wide] = table.schema.fields.map((f) => f.type as arrow.Decimal);
      assert.deepEqual([narrow?.precision, narrow?.scale, narrow?.bitWidth], [15, 2, 128]);
      assert.deepEqual([wide?.precision, wide?.scale, wide?.bitWidth], [38, 4, 128]);
      const words = table.getChildAt(0)?.get(2) as Uint32Array;
      assert.deepEqual([...words], [12345, 0, 0, 0]);
      assert.equal(table.getChildAt(0)?.get(1), null);
    }
  });
});

test('an empty file and an empty stream have a schema', () => {
  for (const container of ['stream', 'file'] as const) {
    const writer = new IpcWriter(new Schema([field('a', INT32), field('s', UTF8_VIEW, false)]), container);
    const table = arrow.tableFromIPC(Buffer.concat([writer.begin(), writer.finish()]));
    assert.deepEqual(
      table.schema.fields.map((f) => `${f.name}: ${String(f.type)} ${f.nullable}`),
      ['a: Int32 true', 's: Utf8 false'],
    );
  }
});

test('T12: a batch without columns keeps its row count', () => {
  inArena((arena) => {
    const batch = new RecordBatch(EMPTY_SCHEMA, [], 12_345, { capacity: 12_345 });
    const [piece, ...more] = encodeAll(new IpcBatchEncoder(EMPTY_SCHEMA), batch, arena);
    assert.ok(piece !== undefined && more.length === 0);
    const address = arena.alloc(piece.length);
    heap.u8.set(piece, address);
    assert.equal(new IpcBatchDecoder(EMPTY_SCHEMA).decode(address, piece.length, arena).numRows, 12_345);
  });
});

function dictionaryColumn(values: readonly string[], codes: readonly number[], arena: Arena): Column {
  const flat = columnFromValues(UTF8, values, arena);
  const address = arena.alloc(codes.length * 4);
  for (const [row, code] of codes.entries()) heap.u32[(address >>> 2) + row] = code;
  return Column.dictionary(UTF8, makeDictionary('view', flat.values, values.length), codes.length, address);
}

test('T13: dictionaries travel once per stream, are replaced when they change, and never mix over columns', () => {
  inArena((arena) => {
    const schema = new Schema([field('a', UTF8), field('b', UTF8)]);
    const codes = Array.from({ length: 100 }, (_, row) => row % 2);
    const a = dictionaryColumn(['a first value', 'a second value'], codes, arena);
    const b = dictionaryColumn(['b first value', 'b second value'], codes.toReversed(), arena);
    const replaced = dictionaryColumn(['x first value', 'x second value'], codes, arena);
    const encoder = new IpcBatchEncoder(schema);
    const decoder = new IpcBatchDecoder(schema);
    const sizes: number[] = [];
    for (const [left, right] of [
      [a, b],
      [a, b],
      [replaced, b],
      [a, b],
    ] as const) {
      const batch = new RecordBatch(schema, [left, right], 100);
      const pieces = encodeAll(encoder, batch, arena);
      sizes.push(pieces.reduce((sum, piece) => sum + piece.length, 0));
      const [piece] = pieces;
      assert.ok(piece !== undefined && pieces.length === 1);
      const address = arena.alloc(piece.length);
      heap.u8.set(piece, address);
      const decoded = decoder.decode(address, piece.length, arena);
      assert.ok(decoded.columns.every((column) => column.encoding === 'dictionary'));
      assert.deepEqual(batchRows(decoded), batchRows(batch));
    }
    const [first, second, third, fourth] = sizes;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.ok(second < third && third < first, `a known dictionary is not sent again: ${sizes.join(', ')}`);
    assert.equal(third, fourth);
    decoder.close();
  });
});

test('a dictionary larger than the values it stands for is not sent', () => {
  inArena((arena) => {
    const values = Array.from({ length: 1000 }, (_, i) => `a value of some length ${i}`);
    const column = dictionaryColumn(values, [3, 7], arena);
    const schema = new Schema([field('a', UTF8)]);
    const batch = new RecordBatch(schema, [column], 2);
    const [piece] = encodeAll(new IpcBatchEncoder(schema), batch, arena);
    assert.ok(piece !== undefined && piece.length < 700, `${piece?.length} bytes`);
    const address = arena.alloc(piece.length);
    heap.u8.set(piece, address);
    const decoded = new IpcBatchDecoder(schema).decode(address, piece.length, arena);
    assert.deepEqual(batchRows(decoded), [['a value of some length 3'], ['a value of some length 7']]);
  });
});

test('truncated and altered pieces are protocol errors or still batches, never anything else', () => {
  fc.assert(
    fc.property(
      batchPlan({ maxRows: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      (plan, where, flip, truncate) => {
        inArena((arena) => {
          const batch = makeBatch(plan, arena);
          const [piece] = encodeAll(new IpcBatchEncoder(batch.schema), batch, arena);
          assert.ok(piece !== undefined);
          const at = Math.floor(where * piece.length);
          const damaged = truncate ? piece.slice(0, at) : piece.with(at, (piece[at] ?? 0) ^ flip);
          const address = arena.alloc(damaged.length);
          heap.u8.set(damaged, address);
          const decoder = new IpcBatchDecoder(batch.schema);
          try {
            batchRows(decoder.decode(address, damaged.length, arena));
            assert.ok(!truncate, 'a truncated piece was read');
          } catch (error) {
            if (!(error instanceof DistqError)) throw error;
            assert.ok(
              error.kind === 'protocol' || error.kind === 'resources_exhausted',
              `${error.kind}: ${error.message}`,
            );
          }
          decoder.close();
        });
      },
    ),
    { numRuns: 3000 },
  );
});

test('a stream of another schema is refused', () => {
  inArena((arena) => {
    const sent = new Schema([field('a', INT64)]);
    const [piece] = encodeAll(new IpcBatchEncoder(sent), batchFromRows(sent, [[1n]], arena), arena);
    assert.ok(piece !== undefined);
    const address = arena.alloc(piece.length);
    heap.u8.set(piece, address);
    for (const expected of [new Schema([field('a', INT32)]), new Schema([field('a', INT64), field('b', INT64)])]) {
      assert.throws(
        () => new IpcBatchDecoder(expected).decode(address, piece.length, arena),
        (error: unknown) => error instanceof DistqError && error.kind === 'protocol',
      );
    }
  });
});
