import {
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT64,
  INT64,
  INTERVAL,
  isString,
  NULL,
  UTF8,
} from '../../../columnar/data-type.js';
import { fitsInteger } from '../../../columnar/integer-range.js';
import { type ScalarValue, scalar } from '../../../columnar/scalar-value.js';
import { parseDate, parseDecimal, parseFloat64, parseInteger } from '../../../expr/parse-value.js';
import { scalarText } from '../../../expr/scalar-text.js';

/** The constant of a type that prints as this text, or undefined: plans print constants without their types. */
export function typedLiteral(text: string, type: DataType): ScalarValue | undefined {
  if (text === 'NULL') return scalar(type, null);
  if (isString(type)) return scalar(type, text);
  const value = readValue(text, type);
  if (value === undefined) return undefined;
  const constant = scalar(type, value);
  return scalarText(constant) === text ? constant : undefined;
}

function readValue(text: string, type: DataType): ScalarValue['value'] | undefined {
  switch (type.kind) {
    case 'Boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
    case 'Time32': {
      const value = parseInteger(text);
      return value === undefined || !fitsInteger(type, value) ? undefined : Number(value);
    }
    case 'Int64':
    case 'UInt64':
    case 'Time64':
    case 'Timestamp':
    case 'Duration': {
      const value = parseInteger(text);
      return value === undefined || !fitsInteger(type, value) ? undefined : value;
    }
    case 'Float32': {
      const value = parseFloat64(text);
      return value === undefined ? undefined : Math.fround(value);
    }
    case 'Float64':
      return parseFloat64(text);
    case 'Decimal128':
      return parseDecimal(text, type.scale);
    case 'Date32':
      return parseDate(text);
    case 'Date64': {
      const days = parseDate(text);
      return days === undefined ? undefined : BigInt(days) * 86_400_000n;
    }
    case 'Interval': {
      const parts = /^IntervalMonthDayNano \{ months: (-?\d+), days: (-?\d+), nanoseconds: (-?\d+) \}$/.exec(text);
      if (parts === null) return undefined;
      return { months: Number(parts[1]), days: Number(parts[2]), nanos: BigInt(parts[3] ?? '0') };
    }
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
      return /^([0-9A-F]{2})*$/.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : undefined;
    case 'Null':
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}

/** Types that a constant of this text may have when nothing else tells, most likely first: SQL's own reading of the text. */
export function typesByShape(text: string): DataType[] {
  const types: DataType[] = [];
  if (text === 'NULL') types.push(NULL);
  for (const type of [BOOLEAN, INT64, FLOAT64, DATE32, INTERVAL]) {
    if (typedLiteral(text, type) !== undefined) types.push(type);
  }
  return [...types, UTF8];
}

/** The decimal that a constant in decimal arithmetic is: an integer as SQL's BIGINT becomes one, else its digits. */
export function decimalByShape(text: string): DataType | undefined {
  const parts = /^-?(\d+)(?:\.(\d+))?$/.exec(text);
  if (parts === null) return undefined;
  const scale = parts[2]?.length ?? 0;
  return scale === 0 ? decimal(20, 0) : decimal(Math.min(38, (parts[1]?.length ?? 0) + scale), scale);
}
