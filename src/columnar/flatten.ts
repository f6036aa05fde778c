import { DistqError, invariant } from '../base/errors.js';
import type { Arena } from './arena.js';
import { bitmapBytes, Column } from './column.js';
import { heap } from './heap.js';
import { kernels } from './kernels.js';
import { layoutWidth } from './layout.js';
import { RecordBatch } from './record-batch.js';

/** `to[i] = values[indices[i]]` for values of `width` bytes. */
function gatherValues(width: number, values: number, indices: number, count: number, to: number): void {
  switch (width) {
    case 0:
      return;
    case 1:
      kernels.gather8(values, indices, count, to);
      return;
    case 2:
      kernels.gather16(values, indices, count, to);
      return;
    case 4:
      kernels.gather32(values, indices, count, to);
      return;
    case 8:
      kernels.gather64(values, indices, count, to);
      return;
    case 16:
      kernels.gather128(values, indices, count, to);
      return;
    default:
      throw new DistqError('internal', `values of ${width} bytes`);
  }
}

/**
 * The rows `indices[0 … count)` (u32, in any order, repeats allowed) of a column as a dense column of `count` rows in the arena.
 * A dictionary column stays one over the same dictionary, a constant one constant; string bytes are not copied.
 */
export function takeColumn(column: Column, indices: number, count: number, arena: Arena): Column {
  if (column.encoding === 'constant') return column.withLength(count);
  const width = column.encoding === 'dictionary' ? 4 : layoutWidth(column.layout);
  const values = arena.alloc(count * width);
  gatherValues(width, column.values, indices, count, values);
  let validity = 0;
  if (column.validity !== 0) {
    validity = arena.alloc(bitmapBytes(count));
    if (kernels.gatherBits(column.validity, indices, 0, count, validity, 0) === count) validity = 0;
  }
  if (column.dictionary !== null) return Column.dictionary(column.type, column.dictionary, count, values, validity);
  return Column.flat(column.type, column.layout, count, values, validity);
}

/** The column with its values spelled out: dictionary and constant columns become flat in the arena, flat ones come back as they are. */
export function flattenColumn(column: Column, arena: Arena): Column {
  if (column.encoding === 'flat') return column;
  const { type, layout, length } = column;
  if (layout === 'null') return column;
  const width = layoutWidth(layout);
  const values = arena.alloc(length * width);
  if (column.dictionary !== null) {
    if (column.dictionary.size === 0) heap.u8.fill(0, values, values + length * width);
    else gatherValues(width, column.dictionary.values, column.values, length, values);
    return Column.flat(type, layout, length, values, column.validity);
  }
  kernels.fillValues(column.values, width, length, values);
  let validity = 0;
  if (column.validity !== 0 && (heap.u8[column.validity]! & 1) === 0) {
    validity = arena.allocZeroed(bitmapBytes(length));
  }
  return Column.flat(type, layout, length, values, validity);
}

/** The same rows without a selection; encodings stay. The batch itself when it has none. */
export function compact(batch: RecordBatch, arena: Arena): RecordBatch {
  if (batch.selection === 0) return batch;
  const columns = batch.columns.map((column) => takeColumn(column, batch.selection, batch.numRows, arena));
  return new RecordBatch(batch.schema, columns, batch.numRows);
}

/** The same rows without a selection and with every column flat (`Null` columns stay constant). String bytes are not copied. */
export function flatten(batch: RecordBatch, arena: Arena): RecordBatch {
  const dense = compact(batch, arena);
  if (dense.columns.every((column) => column.encoding === 'flat')) return dense;
  return dense.withColumns(
    dense.schema,
    dense.columns.map((column) => flattenColumn(column, arena)),
  );
}

/** A wide (`i128`) form of a flat decimal column; wide ones come back as they are. */
export function widenDecimal(column: Column, arena: Arena): Column {
  if (column.layout === 'i128') return column;
  invariant(column.layout === 'i64' && column.encoding === 'flat', 'only flat i64 columns are widened');
  const values = arena.alloc(column.length * 16);
  kernels.widenTo128(column.values, column.length, values);
  return Column.flat(column.type, 'i128', column.length, values, column.validity);
}

/** The narrow (`i64`) form of a flat wide decimal column when every slot fits, else the column itself. */
export function narrowDecimal(column: Column, arena: Arena): Column {
  if (column.layout !== 'i128') return column;
  invariant(column.encoding === 'flat', 'only flat columns are narrowed');
  const values = arena.alloc(column.length * 8);
  if (kernels.narrow128(column.values, column.length, values) !== 0) return column;
  return Column.flat(column.type, 'i64', column.length, values, column.validity);
}
