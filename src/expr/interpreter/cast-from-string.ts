import { type DataType } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import {
  parseBoolean,
  parseDate,
  parseDecimal,
  parseFloat64,
  parseInteger,
  parseInterval,
  parseTimeNanos,
  parseTimestamp,
} from '../parse-value.js';
import { nanosPer } from '../temporal.js';
import type { Converter } from './cast.js';

/** Casts of text: the forms that `parse-value.ts` reads. */
export function fromString(to: DataType): Converter | undefined {
  switch (to.kind) {
    case 'Boolean':
      return parsed(parseBoolean, (row, value, out) => {
        out.setBoolean(row, value);
      });
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'Int64':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
    case 'UInt64':
      return parsed(
        (text) => {
          const value = parseInteger(text);
          return value === undefined || !fitsInteger(to, value) ? undefined : value;
        },
        (row, value, out) => {
          out.setInteger(row, value);
        },
      );
    case 'Float32':
    case 'Float64':
      return parsed(parseFloat64, (row, value, out) => {
        out.setFloat(row, value);
      });
    case 'Decimal128': {
      const limit = 10n ** BigInt(to.precision);
      return parsed(
        (text) => {
          const value = parseDecimal(text, to.scale);
          return value === undefined || value >= limit || value <= -limit ? undefined : value;
        },
        (row, value, out) => {
          out.setInteger(row, value);
        },
      );
    }
    case 'Date32':
      return parsed(parseDate, (row, value, out) => {
        out.setI32(row, value);
      });
    case 'Date64':
      return parsed(parseDate, (row, value, out) => {
        out.setI64(row, BigInt(value) * 86_400_000n);
      });
    case 'Time32':
    case 'Time64':
      return parsed(parseTimeNanos, (row, value, out) => {
        out.setInteger(row, value / nanosPer(to.unit));
      });
    case 'Timestamp':
      return parsed(
        (text) => {
          const value = parseTimestamp(text, to.unit);
          return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : value;
        },
        (row, value, out) => {
          out.setI64(row, value);
        },
      );
    case 'Interval':
      return parsed(parseInterval, (row, value, out) => {
        out.setInterval(row, value);
      });
    case 'Null':
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
    case 'Duration':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}

function parsed<T>(
  parse: (text: string) => T | undefined,
  write: (row: number, value: T, out: Parameters<Converter>[2]) => void,
): Converter {
  return (reader, row, out) => {
    const value = parse(reader.text(row));
    if (value === undefined) return false;
    write(row, value, out);
    return true;
  };
}
