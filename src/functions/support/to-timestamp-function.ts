import { DistqError } from '../../base/errors.js';
import type { ColumnReader } from '../../columnar/column-reader.js';
import {
  type DataType,
  FLOAT64,
  INT64,
  isDecimal,
  isFloating,
  isInteger,
  isString,
  type TimeUnit,
  timestamp,
} from '../../columnar/data-type.js';
import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { parseTimestamp } from '../../expr/parse-value.js';
import { floorDivide, nanosPer, unitsPerSecond } from '../../expr/temporal.js';
import { parseFormattedTimestamp } from './date-format.js';
import { requireArity, wrongArguments } from './signature.js';
import { strictRows } from './strict-rows.js';

/** A `to_timestamp` function: the unit it gives, and the unit in which it reads numbers. Text may come with formats to try in turn. */
export function toTimestampFunction(
  name: string,
  unit: TimeUnit,
  numberUnit: TimeUnit,
  doc: FunctionDoc,
): ScalarFunction {
  return {
    name,
    aliases: [],
    volatility: 'immutable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1, Infinity);
      const [first, ...formats] = argTypes;
      if (formats.some((type) => !isString(type)) || (formats.length > 0 && !isString(first!))) {
        throw wrongArguments(name, argTypes, 'a text with formats, or one value');
      }
      return [valueType(name, first!, argTypes, unit), ...formats];
    },
    returnType: ([type]) => timestamp(unit, type?.kind === 'Timestamp' ? type.timezone : null),
    evaluate(input) {
      const type = input.args[0]!.type;
      return strictRows(input, (row, [value, ...formats], out) => {
        const result = read(type, value!, formats, row, unit, numberUnit);
        if (result === undefined || BigInt.asIntN(64, result) !== result) {
          const shown = isString(type)
            ? `"${value!.text(row)}"`
            : String(isFloating(type) ? value!.f64(row) : value!.integer(row));
          throw new DistqError('execution', `${name} cannot read ${shown} as a timestamp`);
        }
        out.setI64(row, result);
      });
    },
  };
}

function valueType(name: string, type: DataType, argTypes: readonly DataType[], unit: TimeUnit): DataType {
  if (isString(type) || type.kind === 'Timestamp') return type;
  if (type.kind === 'Date32' || type.kind === 'Date64' || type.kind === 'Null') return timestamp(unit);
  if (isInteger(type)) return INT64;
  if (isFloating(type) || isDecimal(type)) return FLOAT64;
  throw wrongArguments(name, argTypes, 'a text, number, date or timestamp');
}

function read(
  type: DataType,
  value: ColumnReader,
  formats: readonly ColumnReader[],
  row: number,
  unit: TimeUnit,
  numberUnit: TimeUnit,
): bigint | undefined {
  if (isString(type)) {
    const text = value.text(row);
    if (formats.length === 0) return parseTimestamp(text, unit);
    for (const format of formats) {
      const nanos = parseFormattedTimestamp(text, format.text(row));
      if (nanos !== undefined) return floorDivide(nanos, nanosPer(unit));
    }
    return undefined;
  }
  if (isFloating(type)) {
    const scaled = Math.trunc(value.f64(row) * Number(unitsPerSecond(unit) / unitsPerSecond(numberUnit)));
    return Number.isFinite(scaled) ? BigInt(scaled) : undefined;
  }
  if (type.kind === 'Timestamp') {
    return floorDivide(value.i64(row) * nanosPer(type.unit), nanosPer(unit));
  }
  return value.i64(row) * (unitsPerSecond(unit) / unitsPerSecond(numberUnit));
}
