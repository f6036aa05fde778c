/** Batches of random types, values and representations, for codec and exchange tests. Everything is a fast-check arbitrary, so failures shrink. */
import fc from 'fast-check';
import type { Arena } from '../../src/columnar/arena.js';
import { Column, makeDictionary } from '../../src/columnar/column.js';
import {
  BINARY,
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  field,
  INT16,
  INT32,
  INT64,
  INT8,
  INTERVAL,
  LARGE_UTF8,
  NULL,
  timestamp,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  UTF8,
  UTF8_VIEW,
} from '../../src/columnar/data-type.js';
import { columnFromScalar, columnFromValues } from '../../src/columnar/from-values.js';
import { heap } from '../../src/columnar/heap.js';
import { defaultLayout } from '../../src/columnar/layout.js';
import { RecordBatch } from '../../src/columnar/record-batch.js';
import type { ScalarValue } from '../../src/columnar/scalar-value.js';
import { Schema } from '../../src/columnar/schema.js';
import { physicalRow, valueAt } from '../../src/columnar/value-at.js';

type Value = ScalarValue['value'];

const batchTypes: readonly DataType[] = [
  NULL,
  BOOLEAN,
  INT8,
  INT16,
  INT32,
  INT64,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  FLOAT32,
  FLOAT64,
  decimal(15, 2),
  decimal(38, 6),
  UTF8,
  LARGE_UTF8,
  UTF8_VIEW,
  BINARY,
  { kind: 'FixedSizeBinary', size: 5 },
  DATE32,
  { kind: 'Date64' },
  { kind: 'Time32', unit: 'ms' },
  { kind: 'Time64', unit: 'ns' },
  timestamp('us', 'Europe/Berlin'),
  timestamp('s'),
  { kind: 'Duration', unit: 'ms' },
  INTERVAL,
];

/** A value of the type that is not null. */
function present(type: DataType): fc.Arbitrary<Exclude<Value, null>> {
  switch (type.kind) {
    case 'Boolean':
      return fc.boolean();
    case 'Int8':
      return fc.integer({ min: -128, max: 127 });
    case 'Int16':
      return fc.integer({ min: -32_768, max: 32_767 });
    case 'Int32':
    case 'Date32':
    case 'Time32':
      return fc.integer();
    case 'UInt8':
      return fc.integer({ min: 0, max: 255 });
    case 'UInt16':
      return fc.integer({ min: 0, max: 65_535 });
    case 'UInt32':
      return fc.integer({ min: 0, max: 0xffff_ffff });
    case 'Int64':
    case 'Date64':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case 'UInt64':
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case 'Float32':
      return fc.float();
    case 'Float64':
      return fc.double();
    case 'Decimal128':
      return type.precision <= 18
        ? fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
        : fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      return fc.string({ maxLength: 20, unit: 'grapheme' });
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
      return fc.uint8Array({ maxLength: 20 });
    case 'FixedSizeBinary':
      return fc.uint8Array({ minLength: type.size, maxLength: type.size });
    case 'Interval':
      return fc.record({
        months: fc.integer(),
        days: fc.integer(),
        nanos: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      });
    case 'Null':
    case 'List':
    case 'Struct':
    case 'Map':
      throw new Error(`no values of type ${type.kind}`);
  }
}

/** How one column is to be made: its values (one per physical row) and how they lie. */
interface ColumnPlan {
  readonly type: DataType;
  readonly encoding: 'flat' | 'dictionary' | 'constant';
  readonly values: readonly Value[];
}

export interface BatchPlan {
  readonly columns: readonly ColumnPlan[];
  readonly capacity: number;
  /** Ascending physical rows, or null for all. */
  readonly selection: readonly number[] | null;
}

function columnPlan(capacity: number): fc.Arbitrary<ColumnPlan> {
  return fc
    .record({
      type: fc.constantFrom(...batchTypes),
      encoding: fc.constantFrom<ColumnPlan['encoding']>('flat', 'dictionary', 'constant'),
      nullable: fc.boolean(),
    })
    .chain(({ type, encoding, nullable }): fc.Arbitrary<ColumnPlan> => {
      const value: fc.Arbitrary<Value> =
        type.kind === 'Null'
          ? fc.constant(null)
          : nullable
            ? fc.option(present(type), { nil: null, freq: 3 })
            : present(type);
      if (encoding === 'constant') {
        return value.map((one) => ({ type, encoding, values: new Array<Value>(capacity).fill(one) }));
      }
      if (encoding === 'dictionary' && type.kind !== 'Null') {
        return fc
          .array(value, { minLength: 1, maxLength: 4 })
          .chain((few) => fc.array(fc.constantFrom(...few), { minLength: capacity, maxLength: capacity }))
          .map((values) => ({ type, encoding, values }));
      }
      return fc
        .array(value, { minLength: capacity, maxLength: capacity })
        .map((values) => ({ type, encoding: 'flat' as const, values }));
    });
}

export function batchPlan({
  maxRows = 40,
  maxColumns = 5,
}: {
  maxRows?: number;
  maxColumns?: number;
} = {}): fc.Arbitrary<BatchPlan> {
  return fc.integer({ min: 1, max: maxRows }).chain((capacity) =>
    fc.record({
      capacity: fc.constant(capacity),
      columns: fc.array(columnPlan(capacity), { maxLength: maxColumns }),
      selection: fc.option(
        fc.subarray(
          Array.from({ length: capacity }, (_, row) => row),
          { minLength: 1 },
        ),
        { nil: null },
      ),
    }),
  );
}

export function planSchema(plan: BatchPlan): Schema {
  return new Schema(plan.columns.map(({ type }, index) => field(`c${index}`, type)));
}

/** The batch a plan describes, in the arena. Slots under nulls hold garbage; dictionary codes under nulls are in range. */
export function makeBatch(plan: BatchPlan, arena: Arena, schema: Schema = planSchema(plan)): RecordBatch {
  const columns = plan.columns.map((column) => makeColumn(column, arena));
  if (plan.selection === null) return new RecordBatch(schema, columns, plan.capacity, { capacity: plan.capacity });
  const selection = arena.alloc(plan.selection.length * 4);
  for (const [i, row] of plan.selection.entries()) heap.u32[(selection >>> 2) + i] = row;
  return new RecordBatch(schema, columns, plan.selection.length, { capacity: plan.capacity, selection });
}

function makeColumn({ type, encoding, values }: ColumnPlan, arena: Arena): Column {
  if (encoding === 'constant') return columnFromScalar({ type, value: values[0] ?? null }, values.length, arena);
  const flat = columnFromValues(type, values, arena);
  if (encoding === 'flat') return flat;
  const distinct: Exclude<Value, null>[] = [];
  const codes = arena.alloc(values.length * 4);
  for (const [row, value] of values.entries()) {
    let code = value === null ? 0 : distinct.findIndex((known) => Object.is(known, value));
    if (code < 0 && value !== null) code = distinct.push(value) - 1;
    heap.u32[(codes >>> 2) + row] = code;
  }
  // Codes under nulls must be in range too.
  if (distinct.length === 0) return flat;
  const dictionary = columnFromValues(type, distinct, arena);
  return Column.dictionary(
    type,
    makeDictionary(defaultLayout(type), dictionary.values, distinct.length),
    values.length,
    codes,
    flat.validity,
  );
}

/** The selected rows as values, for comparing. */
export function batchRows(batch: RecordBatch): Value[][] {
  return Array.from({ length: batch.numRows }, (_, index) => {
    const row = physicalRow(batch, index);
    return batch.columns.map((column) => valueAt(column, row));
  });
}
