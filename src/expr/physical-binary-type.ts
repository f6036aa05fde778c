import { DistqError } from '../base/errors.js';
import {
  BOOLEAN,
  type DataType,
  decimal,
  INT64,
  INTERVAL,
  isDecimal,
  typeName,
  typesEqual,
} from '../columnar/data-type.js';
import type { ArithmeticOperator, BinaryOperator } from './expr.js';

const MAX_PRECISION = 38;

/** Result type of a binary kernel over already coerced operands; a pair that no kernel takes is an `internal` error. */
export function physicalBinaryType(left: DataType, op: BinaryOperator, right: DataType): DataType {
  switch (op) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmeticType(left, op, right);
    case '&':
    case '|':
    case 'BIT_XOR':
    case '<<':
    case '>>':
    case '||':
      return left;
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'IS DISTINCT FROM':
    case 'IS NOT DISTINCT FROM':
    case 'AND':
    case 'OR':
    case '~':
    case '~*':
    case '!~':
    case '!~*':
      return BOOLEAN;
  }
}

/**
 * Arrow's decimal result types, precision capped at 38. A product whose scale passes 38 is a `plan` error.
 */
export function decimalArithmeticType(
  op: ArithmeticOperator,
  left: { readonly precision: number; readonly scale: number },
  right: { readonly precision: number; readonly scale: number },
): DataType {
  const { precision: p1, scale: s1 } = left;
  const { precision: p2, scale: s2 } = right;
  switch (op) {
    case '+':
    case '-': {
      const scale = Math.max(s1, s2);
      return decimal(Math.min(MAX_PRECISION, Math.max(p1 - s1, p2 - s2) + scale + 1), scale);
    }
    case '*':
      if (s1 + s2 > MAX_PRECISION) {
        throw new DistqError(
          'plan',
          `the product of Decimal128(${p1}, ${s1}) and Decimal128(${p2}, ${s2}) needs ${s1 + s2} digits after the point, and 38 is the most`,
          { hint: 'cast one side to a smaller scale' },
        );
      }
      return decimal(Math.min(MAX_PRECISION, p1 + p2 + 1), s1 + s2);
    case '/': {
      const scale = Math.min(s1 + 4, MAX_PRECISION);
      return decimal(Math.min(MAX_PRECISION, Math.max(1, p1 + (scale - s1) + s2)), scale);
    }
    case '%': {
      const scale = Math.max(s1, s2);
      return decimal(Math.min(MAX_PRECISION, Math.min(p1 - s1, p2 - s2) + scale), scale);
    }
  }
}

function arithmeticType(left: DataType, op: ArithmeticOperator, right: DataType): DataType {
  if (isDecimal(left) && isDecimal(right)) return decimalArithmeticType(op, left, right);
  if (op === '-') {
    if (left.kind === 'Timestamp' && right.kind === 'Timestamp') return { kind: 'Duration', unit: left.unit };
    if ((left.kind === 'Date32' || left.kind === 'Date64') && left.kind === right.kind) return INT64;
  }
  if (typesEqual(left, right)) return left;
  if (op === '+' || op === '-') {
    const moved = movedBy(left, right) ?? (op === '+' ? movedBy(right, left) : undefined);
    if (moved !== undefined) return moved;
  }
  if (left.kind === 'Interval' || right.kind === 'Interval') return INTERVAL;
  throw new DistqError('internal', `no arithmetic for ${typeName(left)} ${op} ${typeName(right)}`);
}

/** The type of a point in time moved by an interval or duration. */
function movedBy(point: DataType, span: DataType): DataType | undefined {
  if (span.kind !== 'Interval' && span.kind !== 'Duration') return undefined;
  switch (point.kind) {
    case 'Date32':
    case 'Date64':
    case 'Timestamp':
    case 'Time32':
    case 'Time64':
      return point;
    case 'Null':
    case 'Boolean':
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'Int64':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
    case 'UInt64':
    case 'Float32':
    case 'Float64':
    case 'Decimal128':
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
    case 'FixedSizeBinary':
    case 'Duration':
    case 'Interval':
    case 'List':
    case 'Struct':
    case 'Map':
      return undefined;
  }
}
