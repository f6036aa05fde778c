import {
  type DataType,
  INT64,
  INTERVAL,
  isDecimal,
  isInteger,
  isNumeric,
  timestamp,
  typesEqual,
} from '../../columnar/data-type.js';
import type { ArithmeticOperator } from '../expr.js';
import { decimalArithmeticType } from '../physical-binary-type.js';
import { nullCoercion } from './comparison.js';
import { asDecimal, plainNumericCoercion } from './numeric.js';
import { isDate, isTime, temporalCoercion } from './temporal.js';

/** What an operator takes and gives: operands are cast to `left` and `right`. */
export interface OperatorSignature {
  readonly left: DataType;
  readonly right: DataType;
  readonly result: DataType;
}

/** Operand and result types of `left op right`, or undefined when there are none. */
export function arithmeticSignature(
  left: DataType,
  op: ArithmeticOperator,
  right: DataType,
): OperatorSignature | undefined {
  if (left.kind === 'Null' && right.kind === 'Null') return { left: INT64, right: INT64, result: INT64 };
  const other = nullCoercion(left, right);
  if (other !== undefined) return arithmeticSignature(other, op, other);
  const direct = kernelResult(left, op, right);
  if (direct !== undefined) return { left, right, result: direct };
  for (const [l, r] of operandCandidates(left, right)) {
    const result = kernelResult(l, op, r);
    if (result !== undefined) return { left: l, right: r, result };
  }
  return undefined;
}

/** Operand types to try, best first, for a pair that no kernel takes as it is. */
function operandCandidates(left: DataType, right: DataType): [DataType, DataType][] {
  const found: [DataType, DataType][] = [];
  if (isDate(left) && isInteger(right)) found.push([left, INTERVAL]);
  if (isInteger(left) && isDate(right)) found.push([INTERVAL, right]);
  if (isDate(left) && isTime(right)) found.push([timestamp('ns'), { kind: 'Duration', unit: 'ns' }]);
  if (isTime(left) && isDate(right)) found.push([{ kind: 'Duration', unit: 'ns' }, timestamp('ns')]);
  if (left.kind === 'Timestamp' && right.kind === 'Duration') {
    found.push([left, { kind: 'Duration', unit: left.unit }]);
  }
  if (left.kind === 'Duration' && right.kind === 'Timestamp') {
    found.push([{ kind: 'Duration', unit: right.unit }, right]);
  }
  const temporal = temporalCoercion(left, right, true);
  if (temporal !== undefined) found.push([temporal, temporal]);
  if (isDecimal(left) && isInteger(right)) found.push([left, asDecimal(right) ?? right]);
  if (isInteger(left) && isDecimal(right)) found.push([asDecimal(left) ?? left, right]);
  const numeric = plainNumericCoercion(left, right);
  if (numeric !== undefined) found.push([numeric, numeric]);
  return found;
}

/** Result of the kernel for exactly these operand types, or undefined when there is no such kernel. */
function kernelResult(left: DataType, op: ArithmeticOperator, right: DataType): DataType | undefined {
  if (isDecimal(left) && isDecimal(right)) return decimalArithmeticType(op, left, right);
  if (isNumeric(left)) return typesEqual(left, right) ? left : undefined;
  const additive = op === '+' || op === '-';
  if (!additive) return undefined;
  if (left.kind === 'Interval' && right.kind === 'Interval') return left;
  if (left.kind === 'Duration' && right.kind === 'Duration') return left.unit === right.unit ? left : undefined;
  if (op === '-') {
    if (isDate(left) && left.kind === right.kind) return INT64;
    if (left.kind === 'Timestamp' && right.kind === 'Timestamp') {
      return left.unit === right.unit && left.timezone === right.timezone
        ? { kind: 'Duration', unit: left.unit }
        : undefined;
    }
  }
  return shifted(left, right) ?? (op === '+' ? shifted(right, left) : undefined);
}

/** A point in time moved by an interval or a duration. */
function shifted(point: DataType, by: DataType): DataType | undefined {
  if (by.kind === 'Interval') {
    return isDate(point) || isTime(point) || point.kind === 'Timestamp' ? point : undefined;
  }
  if (by.kind !== 'Duration') return undefined;
  if (point.kind === 'Timestamp') return point.unit === by.unit ? point : undefined;
  return isDate(point) ? point : undefined;
}

/** The type `- x` gives, or undefined. */
export function negationType(type: DataType): DataType | undefined {
  return isNumeric(type) || type.kind === 'Interval' || type.kind === 'Duration' || type.kind === 'Null'
    ? type
    : undefined;
}
