import { notImplemented } from '../../base/errors.js';
import {
  BINARY,
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  INT8,
  INTERVAL,
  timestamp,
  type TimeUnit,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
} from '../../columnar/data-type.js';
import type { Place, SqlType } from '../parser/ast.js';
import { planError } from './binding.js';
import type { BinderOptions } from './options.js';

const SIGNED: Readonly<Record<8 | 16 | 32 | 64, DataType>> = { 8: INT8, 16: INT16, 32: INT32, 64: INT64 };
const UNSIGNED: Readonly<Record<8 | 16 | 32 | 64, DataType>> = { 8: UINT8, 16: UINT16, 32: UINT32, 64: UINT64 };
const UNITS: Readonly<Record<number, TimeUnit>> = { 0: 's', 3: 'ms', 6: 'us', 9: 'ns' };

/** The column type a SQL type name stands for. Time zones: the session has none, so WITH TIME ZONE changes nothing. */
export function columnType(type: SqlType, options: BinderOptions, place: Place): DataType {
  switch (type.kind) {
    case 'boolean':
      return BOOLEAN;
    case 'integer':
      return (type.unsigned ? UNSIGNED : SIGNED)[type.bits];
    case 'float':
      return type.bits === 32 ? FLOAT32 : FLOAT64;
    case 'decimal':
      return decimalType(type.precision, type.scale, place);
    case 'string':
      return options.stringType;
    case 'binary':
      return BINARY;
    case 'date':
      return DATE32;
    case 'time':
      return { kind: 'Time64', unit: 'ns' };
    case 'timestamp':
      return timestamp(UNITS[type.precision ?? 9] ?? 'ns');
    case 'interval':
      return INTERVAL;
  }
}

/** DECIMAL alone is (38, 10), DECIMAL(p) has no fraction. */
function decimalType(precision: number | null, scale: number | null, place: Place): DataType {
  const digits = precision ?? 38;
  const fraction = precision === null ? 10 : (scale ?? 0);
  if (digits > 38 && digits <= 76) {
    throw notImplemented(`DECIMAL with more than 38 digits`, place === null ? {} : { span: place });
  }
  if (digits < 1 || digits > 76 || Math.abs(fraction) > digits) {
    throw planError(
      `DECIMAL(${digits}, ${fraction}) is no type`,
      place,
      'the precision is 1 to 38 and the scale at most that',
    );
  }
  return decimal(digits, fraction);
}
