import type { Arena } from '../../columnar/arena.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import type { Column } from '../../columnar/column.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import { columnFromScalar } from '../../columnar/from-values.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import { compareValues } from '../../columnar/value-order.js';
import { alignLayouts } from '../../columnar/align-layouts.js';
import type { PhysicalInList } from '../physical-expr.js';
import type { Compile, EvalContext, EvalNode } from './eval-node.js';
import { forEachRow, narrowRows, type Rows } from './rows.js';
import { strictColumn } from './strict.js';

/** `x [NOT] IN (…)`: true on a match, null when x or an unmatched list holds a null, else false. */
export function compileInList(expr: PhysicalInList, compile: Compile): EvalNode {
  const value = compile(expr.expr);
  const constants: ScalarValue[] = [];
  for (const item of expr.list) if (item.kind === 'literal') constants.push(item.value);
  if (constants.length === expr.list.length) {
    const set = new ConstantSet(constants);
    return (context, rows) => inSet(context, rows, value(context, rows), set, expr.negated);
  }
  const list = expr.list.map(compile);
  return (context, rows) => inExpressions(context, rows, value(context, rows), list, expr.negated);
}

/** The keys of a list of constants, built once per compiled expression. */
class ConstantSet {
  readonly hasNull: boolean;
  readonly #keys: ReadonlySet<Key>;

  constructor(constants: readonly ScalarValue[]) {
    this.hasNull = constants.some((constant) => constant.value === null);
    this.#keys = new Set(constants.flatMap((constant) => (constant.value === null ? [] : [scalarKey(constant)])));
  }

  has(reader: ColumnReader, row: number): boolean {
    return this.#keys.has(valueKey(reader, row));
  }
}

type Key = number | bigint | string;

/** Values that are equal have one key: −0 is 0, every NaN the same, strings by their bytes (one character each). */
function valueKey(reader: ColumnReader, row: number): Key {
  switch (reader.column.layout) {
    case 'view':
      return Buffer.from(reader.bytes(row)).toString('latin1');
    case 'f32':
    case 'f64': {
      const value = reader.float(row);
      return value === 0 ? 0 : value;
    }
    case 'interval': {
      const { months, days, nanos } = reader.interval(row);
      return `${months}/${days}/${nanos}`;
    }
    case 'null':
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'i64':
    case 'u8':
    case 'u16':
    case 'u32':
    case 'u64':
    case 'i128':
      return reader.integer(row);
  }
}

function scalarKey({ type, value }: ScalarValue): Key {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('latin1');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value === 'object' && value !== null) return `${value.months}/${value.days}/${value.nanos}`;
  if (typeof value === 'number') {
    if (type.kind !== 'Float32' && type.kind !== 'Float64') return BigInt(value);
    return value === 0 ? 0 : value;
  }
  return value ?? '';
}

function inSet(context: EvalContext, rows: Rows, column: Column, set: ConstantSet, negated: boolean): Column {
  const reader = new ColumnReader(column);
  return strictColumn(context, rows, [column], BOOLEAN, (row, out) => {
    if (set.has(reader, row)) out.setBoolean(row, !negated);
    else if (set.hasNull) out.setNull(row);
    else out.setBoolean(row, negated);
  });
}

/** Items are evaluated in order, each only for the rows that have found no match yet. */
function inExpressions(
  context: EvalContext,
  rows: Rows,
  column: Column,
  list: readonly EvalNode[],
  negated: boolean,
): Column {
  const out = new ColumnBuilder(BOOLEAN, rows.capacity, context.arena);
  const matched = new Uint8Array(rows.capacity);
  const sawNull = new Uint8Array(rows.capacity);
  let value = new ColumnReader(column);
  let open = narrowRows(rows, context.arena, (row) => !value.isNull(row));
  for (const item of list) {
    if (open.count === 0) break;
    const [a, b] = alignLayouts([column, item(context, open)], column.type, context.arena);
    value = new ColumnReader(a!);
    const other = new ColumnReader(b!);
    forEachRow(open, (row) => {
      if (other.isNull(row)) sawNull[row] = 1;
      else if (compareValues(a!.layout, value.address(row), other.address(row)) === 0) matched[row] = 1;
    });
    open = narrowRows(open, context.arena, (row) => matched[row] === 0);
  }
  const original = new ColumnReader(column);
  forEachRow(rows, (row) => {
    if (matched[row] === 1) out.setBoolean(row, !negated);
    else if (original.isNull(row) ? list.length > 0 : sawNull[row] === 1) out.setNull(row);
    else out.setBoolean(row, negated);
  });
  return out.finish();
}

/** A constant as a column of `length` rows; decimals in the wide layout only when they need it. */
export function literalColumn(constant: ScalarValue, length: number, arena: Arena): Column {
  const narrow =
    constant.type.kind === 'Decimal128' &&
    typeof constant.value === 'bigint' &&
    BigInt.asIntN(64, constant.value) === constant.value;
  return narrow ? columnFromScalar(constant, length, arena, 'i64') : columnFromScalar(constant, length, arena);
}
