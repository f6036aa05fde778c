import {
  type DataType,
  type TypeKind,
  FLOAT32,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  INT8,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
} from '../../columnar/data-type.js';
import { decimal, isDecimal, isNumeric, isSignedInteger, typesEqual } from '../../columnar/data-type.js';

type Decimal = Extract<DataType, { kind: 'Decimal128' }>;

/** Digits of the largest decimal. */
const MAX_PRECISION = 38;

/**
 * The decimal that holds every value of a numeric type, as comparisons and arithmetic see it; undefined for types that are no numbers.
 * Floats get a fixed (p, s), as in DataFusion: comparing a decimal with a float compares decimals.
 */
export function asDecimal(type: DataType): Decimal | undefined {
  if (type.kind === 'Decimal128') return type;
  const size = DECIMAL_OF[type.kind];
  return size === undefined ? undefined : { kind: 'Decimal128', precision: size[0], scale: size[1] };
}

const DECIMAL_OF: Partial<Record<TypeKind, readonly [precision: number, scale: number]>> = {
  Int8: [3, 0],
  UInt8: [3, 0],
  Int16: [5, 0],
  UInt16: [5, 0],
  Int32: [10, 0],
  UInt32: [10, 0],
  Int64: [20, 0],
  UInt64: [20, 0],
  Float32: [14, 7],
  Float64: [30, 15],
};

/** The narrowest decimal that holds both (capped at 38 digits). */
function widerDecimal(a: Decimal, b: Decimal): DataType {
  const scale = Math.max(a.scale, b.scale);
  return decimal(Math.min(MAX_PRECISION, Math.max(a.precision - a.scale, b.precision - b.scale) + scale), scale);
}

/** Common type of two numbers for comparison and unions, or undefined when one is no number. Decimals win over floats. */
export function numericCoercion(a: DataType, b: DataType): DataType | undefined {
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  if (typesEqual(a, b)) return a;
  if (isDecimal(a) || isDecimal(b)) {
    const left = asDecimal(a);
    const right = asDecimal(b);
    return left === undefined || right === undefined ? undefined : widerDecimal(left, right);
  }
  return plainNumericCoercion(a, b);
}

/** Common type of two numbers where floats win over everything: the rule of arithmetic, once its decimal cases are out. */
export function plainNumericCoercion(a: DataType, b: DataType): DataType | undefined {
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  const either = (kind: DataType['kind']): boolean => a.kind === kind || b.kind === kind;
  if (typesEqual(a, b)) return a;
  if (either('Float64')) return FLOAT64;
  if (either('Float32')) return FLOAT32;
  const signed = isSignedInteger(a) || isSignedInteger(b);
  if (either('UInt64')) return signed ? decimal(20, 0) : UINT64;
  if (either('Int64')) return INT64;
  if (either('UInt32')) return signed ? INT64 : UINT32;
  if (either('Int32')) return INT32;
  if (either('UInt16')) return signed ? INT32 : UINT16;
  if (either('Int16')) return INT16;
  if (either('UInt8')) return signed ? INT16 : UINT8;
  return either('Int8') ? INT8 : undefined;
}
