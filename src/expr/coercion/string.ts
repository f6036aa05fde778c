import {
  BINARY,
  BINARY_VIEW,
  type DataType,
  isBinary,
  isNested,
  isString,
  LARGE_UTF8,
  UTF8,
  UTF8_VIEW,
} from '../../columnar/data-type.js';

/** Common type of two strings: views win, then large offsets. Undefined when one is no string. */
export function stringCoercion(a: DataType, b: DataType): DataType | undefined {
  return isString(a) && isString(b) ? widerString(a, b) : undefined;
}

function widerString(a: DataType, b: DataType): DataType {
  if (a.kind === 'Utf8View' || b.kind === 'Utf8View') return UTF8_VIEW;
  if (a.kind === 'LargeUtf8' || b.kind === 'LargeUtf8') return LARGE_UTF8;
  return UTF8;
}

/** Common type of binary with binary or string. */
export function binaryCoercion(a: DataType, b: DataType): DataType | undefined {
  const fits = (type: DataType): boolean => isBinary(type) || type.kind === 'FixedSizeBinary';
  if (!(fits(a) || fits(b)) || !(fits(a) || isString(a)) || !(fits(b) || isString(b))) return undefined;
  const either = (...kinds: DataType['kind'][]): boolean => kinds.includes(a.kind) || kinds.includes(b.kind);
  if (either('BinaryView', 'Utf8View')) return BINARY_VIEW;
  if (either('LargeBinary', 'LargeUtf8')) return { kind: 'LargeBinary' };
  return BINARY;
}

/** LIKE, ILIKE, SIMILAR TO and the regex operators; an untyped null counts as a string. */
export function likeCoercion(value: DataType, pattern: DataType): DataType | undefined {
  const strings = stringCoercion(value, pattern);
  if (strings !== undefined) return strings;
  if (value.kind === 'Null' && isString(pattern)) return pattern;
  if (pattern.kind === 'Null' && isString(value)) return value;
  const binaries = binaryCoercion(value, pattern);
  if (binaries === undefined) return undefined;
  // Binary against a string pattern matches as text.
  return isString(value) || isString(pattern) ? (binaries.kind === 'BinaryView' ? UTF8_VIEW : UTF8) : binaries;
}

/** `||`: one side is a string, the other is cast to it. */
export function concatCoercion(a: DataType, b: DataType): DataType | undefined {
  const strings = stringCoercion(a, b);
  if (strings !== undefined) return strings;
  if (isString(a) && !isNested(b)) return a;
  if (isString(b) && !isNested(a)) return b;
  return undefined;
}
