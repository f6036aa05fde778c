import { type DataType, isNumeric, isString, typesEqual } from '../../columnar/data-type.js';
import { comparisonCoercion, nestedCoercion, nullCoercion } from './comparison.js';
import { numericCoercion } from './numeric.js';
import { binaryCoercion, stringCoercion } from './string.js';
import { temporalCoercion } from './temporal.js';

/**
 * Common type of the branches of UNION and CASE, or undefined. Unlike in comparisons a string beats a number: every branch must
 * come out as it was written.
 */
export function unionCoercion(types: readonly DataType[]): DataType | undefined {
  return fold(types, unionPair);
}

/** Common type of a column of VALUES, or undefined: a number beats a string, dates and strings do not meet. */
export function valuesCoercion(types: readonly DataType[]): DataType | undefined {
  return fold(types, valuesPair);
}

/** Common type of arguments that are looked at for their value (coalesce, nullif, greatest, least): as comparisons do. */
export function comparisonUnion(types: readonly DataType[]): DataType | undefined {
  return fold(types, comparisonCoercion);
}

function fold(
  types: readonly DataType[],
  pair: (a: DataType, b: DataType) => DataType | undefined,
): DataType | undefined {
  let common: DataType | undefined = types[0];
  for (const type of types.slice(1)) {
    if (common === undefined) return undefined;
    common = pair(common, type);
  }
  return common;
}

function unionPair(a: DataType, b: DataType): DataType | undefined {
  if (typesEqual(a, b)) return a;
  return (
    numericCoercion(a, b) ??
    temporalCoercion(a, b, false) ??
    stringCoercion(a, b) ??
    nestedCoercion(a, b, unionPair) ??
    nullCoercion(a, b) ??
    textOver(a, b) ??
    textOver(b, a) ??
    binaryCoercion(a, b) ??
    comparisonCoercion(a, b)
  );
}

function valuesPair(a: DataType, b: DataType): DataType | undefined {
  if (typesEqual(a, b)) return a;
  return (
    numericCoercion(a, b) ??
    temporalCoercion(a, b, false) ??
    stringCoercion(a, b) ??
    nestedCoercion(a, b, valuesPair) ??
    nullCoercion(a, b) ??
    numberOver(a, b) ??
    numberOver(b, a)
  );
}

function numberOver(number: DataType, other: DataType): DataType | undefined {
  return isNumeric(number) && isString(other) ? number : undefined;
}

function textOver(text: DataType, other: DataType): DataType | undefined {
  return isString(text) && isNumeric(other) ? text : undefined;
}
