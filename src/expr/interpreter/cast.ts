import { DistqError, notImplemented } from '../../base/errors.js';
import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader, commonValidity, validAt } from '../../columnar/column-reader.js';
import {
  type DataType,
  isBinary,
  isDecimal,
  isFloating,
  isInteger,
  isNested,
  isString,
  typeName,
} from '../../columnar/data-type.js';
import { narrowDecimal } from '../../columnar/flatten.js';
import { formatValue } from '../../columnar/format-value.js';
import { defaultLayout, type Layout } from '../../columnar/layout.js';
import { valueAt } from '../../columnar/value-at.js';
import { displayPhysicalExpr } from '../physical-expr-display.js';
import type { PhysicalCast } from '../physical-expr.js';
import { fromString } from './cast-from-string.js';
import { numericCast } from './cast-numeric.js';
import { temporalCast } from './cast-temporal.js';
import type { EvalContext, EvalNode } from './eval-node.js';
import { constantOf } from './strict.js';
import { forEachRow, type Rows } from './rows.js';

/** Writes the value of `row` (not null) in the target type, or returns false when it has none there. */
export type Converter = (reader: ColumnReader, row: number, out: ColumnBuilder) => boolean;

/** CAST and TRY_CAST: a value that does not fit the target is an `execution` error, or null when `safe`. */
export function compileCast(expr: PhysicalCast, inner: EvalNode): EvalNode {
  const from = expr.expr.type;
  const to = expr.type;
  if (from.kind === 'Null') return (_, rows) => Column.nulls(to, defaultLayout(to), rows.capacity);
  if (sameBytes(from, to)) return (context, rows) => inner(context, rows).withType(to);
  const convert = converter(from, to);
  if (convert === undefined) throw notImplemented(`a cast from ${typeName(from)} to ${typeName(to)}`);
  return (context, rows) => castColumn(context, rows, inner(context, rows), expr, convert);
}

/** Types whose values lie alike, so that the cast is a rename. */
function sameBytes(from: DataType, to: DataType): boolean {
  const text = (type: DataType): boolean => isString(type) || isBinary(type) || type.kind === 'FixedSizeBinary';
  if (to.kind === 'FixedSizeBinary') return from.kind === 'FixedSizeBinary' && from.size === to.size;
  return text(from) && text(to);
}

function converter(from: DataType, to: DataType): Converter | undefined {
  if (isString(from)) return fromString(to);
  if (isString(to)) return toString(from);
  const numeric = (type: DataType): boolean =>
    isInteger(type) || isFloating(type) || isDecimal(type) || type.kind === 'Boolean';
  if (numeric(from) && numeric(to)) return numericCast(from, to);
  return temporalCast(from, to);
}

function toString(from: DataType): Converter | undefined {
  if (isNested(from)) return undefined;
  return (reader, row, out) => {
    const value = valueAt(reader.column, row);
    if (value !== null) out.setText(row, formatValue(from, value));
    return true;
  };
}

function castColumn(context: EvalContext, rows: Rows, column: Column, expr: PhysicalCast, convert: Converter): Column {
  const { arena } = context;
  const layout: Layout = isDecimal(expr.type) ? 'i128' : defaultLayout(expr.type);
  const validity = commonValidity([column], rows.capacity, arena);
  if (validity === 'none') return Column.nulls(expr.type, layout, rows.capacity);
  const reader = new ColumnReader(column);
  const write = (row: number, out: ColumnBuilder): void => {
    if (convert(reader, row, out)) return;
    if (!expr.safe) throw castError(expr, column, row);
    out.setNull(row);
  };
  if (column.encoding === 'constant' && rows.count > 0) {
    const single = new ColumnBuilder(expr.type, 1, arena, 0, layout);
    write(0, single);
    return constantOf(narrowDecimal(single.finish(), arena), rows.capacity);
  }
  const out = new ColumnBuilder(expr.type, rows.capacity, arena, validity, layout);
  forEachRow(rows, (row) => {
    if (validAt(validity, row)) write(row, out);
  });
  return narrowDecimal(out.finish(), arena);
}

function castError(expr: PhysicalCast, column: Column, row: number): DistqError {
  const value = valueAt(column, row);
  const shown = value === null ? 'null' : formatValue(column.type, value);
  const text = isString(column.type) ? `"${shown}"` : shown;
  return new DistqError('execution', `cannot cast ${text} to ${typeName(expr.type)} in ${displayPhysicalExpr(expr)}`, {
    hint: 'TRY_CAST gives null instead',
  });
}
