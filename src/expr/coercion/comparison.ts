import {
  type DataType,
  type Field,
  field,
  isInteger,
  isNumeric,
  isString,
  timestamp,
  typesEqual,
} from '../../columnar/data-type.js';
import { numericCoercion } from './numeric.js';
import { binaryCoercion, stringCoercion } from './string.js';
import { isDate, isTime, temporalCoercion } from './temporal.js';

/**
 * The type at which two values are compared (`=`, `<`, BETWEEN, IN, CASE operands, join keys), or undefined when they cannot be.
 * A string against a number compares numbers, against a date dates.
 */
export function comparisonCoercion(a: DataType, b: DataType): DataType | undefined {
  if (typesEqual(a, b)) return a;
  return (
    numericCoercion(a, b) ??
    temporalCoercion(a, b, false) ??
    stringCoercion(a, b) ??
    nestedCoercion(a, b, comparisonCoercion) ??
    nullCoercion(a, b) ??
    oneSided(a, b) ??
    oneSided(b, a) ??
    binaryCoercion(a, b)
  );
}

/** Null meets anything at that thing's type. */
export function nullCoercion(a: DataType, b: DataType): DataType | undefined {
  if (a.kind === 'Null') return b;
  return b.kind === 'Null' ? a : undefined;
}

function oneSided(text: DataType, other: DataType): DataType | undefined {
  if (isInteger(text)) return isDate(other) ? other : undefined;
  if (!isString(text)) return undefined;
  if (isNumeric(other) || isDate(other) || isTime(other)) return other;
  return other.kind === 'Timestamp' ? timestamp('ns', other.timezone) : undefined;
}

/** Lists and structs meet element by element. */
export function nestedCoercion(
  a: DataType,
  b: DataType,
  meet: (a: DataType, b: DataType) => DataType | undefined,
): DataType | undefined {
  const fields = (left: Field, right: Field): Field | undefined => {
    const type = meet(left.type, right.type);
    return type === undefined ? undefined : field(left.name, type, left.nullable || right.nullable);
  };
  if (a.kind === 'List' && b.kind === 'List') {
    const element = fields(a.element, b.element);
    return element === undefined ? undefined : { kind: 'List', element };
  }
  if (a.kind === 'Struct' && b.kind === 'Struct' && a.fields.length === b.fields.length) {
    const met: Field[] = [];
    for (const [index, left] of a.fields.entries()) {
      const right = b.fields.find((f) => f.name === left.name) ?? b.fields[index]!;
      const both = fields(left, right);
      if (both === undefined) return undefined;
      met.push(both);
    }
    return { kind: 'Struct', fields: met };
  }
  if (a.kind === 'Map' && b.kind === 'Map') {
    const key = fields(a.key, b.key);
    const value = fields(a.value, b.value);
    return key === undefined || value === undefined ? undefined : { kind: 'Map', key, value };
  }
  return undefined;
}
