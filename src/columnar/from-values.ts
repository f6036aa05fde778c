import { DistqError, invariant } from '../base/errors.js';
import type { Arena } from './arena.js';
import { bitmapBytes, Column } from './column.js';
import { type DataType, typeName } from './data-type.js';
import { heap } from './heap.js';
import { defaultLayout, type Layout, layoutWidth } from './layout.js';
import { RecordBatch } from './record-batch.js';
import type { ScalarValue } from './scalar-value.js';
import type { Schema } from './schema.js';

type Value = ScalarValue['value'];

const encoder = new TextEncoder();

/** A flat column of these values, owned by the arena. For literals, VALUES and tests: not a path for data. */
export function columnFromValues(
  type: DataType,
  values: readonly Value[],
  arena: Arena,
  layout: Layout = defaultLayout(type),
): Column {
  if (layout === 'null') return Column.nulls(type, 'null', values.length);
  const width = layoutWidth(layout);
  const address = arena.allocZeroed(values.length * width);
  let validity = 0;
  for (const [row, value] of values.entries()) {
    if (value === null) {
      if (validity === 0) {
        validity = arena.alloc(bitmapBytes(values.length));
        heap.u8.fill(0xff, validity, validity + bitmapBytes(values.length));
      }
      heap.u8[validity + (row >>> 3)]! &= ~(1 << (row & 7));
    } else {
      writeValue(type, layout, value, address + row * width, arena);
    }
  }
  return Column.flat(type, layout, values.length, address, validity);
}

/** A constant column. */
export function columnFromScalar(
  constant: ScalarValue,
  length: number,
  arena: Arena,
  layout: Layout = defaultLayout(constant.type),
): Column {
  if (constant.value === null || layout === 'null') return Column.nulls(constant.type, layout, length);
  const address = arena.allocZeroed(layoutWidth(layout));
  writeValue(constant.type, layout, constant.value, address, arena);
  return Column.constant(constant.type, layout, length, address);
}

/** A batch of these rows (each as long as the schema), owned by the arena. */
export function batchFromRows(schema: Schema, rows: readonly (readonly Value[])[], arena: Arena): RecordBatch {
  const columns = schema.fields.map((f, index) =>
    columnFromValues(
      f.type,
      rows.map((row) => {
        const value = row[index];
        invariant(value !== undefined, `a row has no value for column ${index}`);
        return value;
      }),
      arena,
    ),
  );
  return new RecordBatch(schema, columns, rows.length);
}

/** Writes one value that is not null at an aligned address; string and binary bytes go to the arena. */
function writeValue(type: DataType, layout: Layout, value: Exclude<Value, null>, address: number, arena: Arena): void {
  const wrong = (): DistqError =>
    new DistqError('internal', `a JavaScript ${typeof value} is no value of type ${typeName(type)} (${layout})`);
  switch (layout) {
    case 'null':
      throw wrong();
    case 'bool':
      if (typeof value !== 'boolean') throw wrong();
      heap.u8[address] = value ? 1 : 0;
      return;
    case 'i8':
      heap.i8[address] = integer(value, wrong);
      return;
    case 'u8':
      heap.u8[address] = integer(value, wrong);
      return;
    case 'i16':
      heap.i16[address >>> 1] = integer(value, wrong);
      return;
    case 'u16':
      heap.u16[address >>> 1] = integer(value, wrong);
      return;
    case 'i32':
      heap.i32[address >>> 2] = integer(value, wrong);
      return;
    case 'u32':
      heap.u32[address >>> 2] = integer(value, wrong);
      return;
    case 'i64':
      if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) throw wrong();
      heap.i64[address >>> 3] = value;
      return;
    case 'u64':
      if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value) throw wrong();
      heap.u64[address >>> 3] = value;
      return;
    case 'i128':
      if (typeof value !== 'bigint' || BigInt.asIntN(128, value) !== value) throw wrong();
      heap.u64[address >>> 3] = BigInt.asUintN(64, value);
      heap.i64[(address >>> 3) + 1] = value >> 64n;
      return;
    case 'f32':
      if (typeof value !== 'number') throw wrong();
      heap.f32[address >>> 2] = value;
      return;
    case 'f64':
      if (typeof value !== 'number') throw wrong();
      heap.f64[address >>> 3] = value;
      return;
    case 'interval':
      if (typeof value !== 'object' || value instanceof Uint8Array) throw wrong();
      heap.i32[address >>> 2] = value.months;
      heap.i32[(address >>> 2) + 1] = value.days;
      heap.i64[(address >>> 3) + 1] = value.nanos;
      return;
    case 'view': {
      if (typeof value !== 'string' && !(value instanceof Uint8Array)) throw wrong();
      const bytes = typeof value === 'string' ? encoder.encode(value) : value;
      heap.u32[address >>> 2] = arena.copyBytes(bytes);
      heap.u32[(address >>> 2) + 1] = bytes.length;
      return;
    }
  }
}

function integer(value: Exclude<Value, null>, wrong: () => DistqError): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrong();
  return value;
}
