import { ColumnReader } from '../../columnar/column-reader.js';
import { type DataType, isDecimal } from '../../columnar/data-type.js';
import { formatDecimal } from '../../columnar/decimal-text.js';
import { narrowDecimal } from '../../columnar/flatten.js';
import type { ArithmeticOperator } from '../expr.js';
import type { PhysicalBinary } from '../physical-expr.js';
import { divisionByZero, outOfRange } from './arithmetic-errors.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';

/** One more than the largest unscaled value: 38 digits. */
const LIMIT = 10n ** 38n;

/** Exact decimal arithmetic at the result's scale; quotients are truncated, as DataFusion does. */
export function compileDecimalArithmetic(
  expr: PhysicalBinary,
  op: ArithmeticOperator,
  left: EvalNode,
  right: EvalNode,
): EvalNode {
  const [s1, s2, s] = [scaleOf(expr.left.type), scaleOf(expr.right.type), scaleOf(expr.type)];
  const compute = operation(op, s1, s2, s);
  return (context, rows) => {
    const [a, b] = [left(context, rows), right(context, rows)];
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    const wide = strictColumn(
      context,
      rows,
      [a, b],
      expr.type,
      (row, out) => {
        const [x, y] = [readA.integer(row), readB.integer(row)];
        if (y === 0n && (op === '/' || op === '%')) {
          throw divisionByZero(expr, formatDecimal(x, s1), formatDecimal(y, s2));
        }
        const result = compute(x, y);
        if (result >= LIMIT || result <= -LIMIT) {
          throw outOfRange(expr, expr.type, formatDecimal(x, s1), formatDecimal(y, s2));
        }
        out.setInteger(row, result);
      },
      'i128',
    );
    return wide.encoding === 'flat' ? narrowDecimal(wide, context.arena) : wide;
  };
}

function operation(op: ArithmeticOperator, s1: number, s2: number, s: number): (x: bigint, y: bigint) => bigint {
  switch (op) {
    case '+':
    case '-': {
      const [fx, fy] = [power(s - s1), power(s - s2)];
      return op === '+' ? (x, y) => x * fx + y * fy : (x, y) => x * fx - y * fy;
    }
    case '*':
      return (x, y) => x * y;
    case '/': {
      const shift = s - s1 + s2;
      const [fx, fy] = shift >= 0 ? [power(shift), 1n] : [1n, power(-shift)];
      return (x, y) => (x * fx) / (y * fy);
    }
    case '%': {
      const common = Math.max(s1, s2);
      const [fx, fy] = [power(common - s1), power(common - s2)];
      return (x, y) => (x * fx) % (y * fy);
    }
  }
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function scaleOf(type: DataType): number {
  return isDecimal(type) ? type.scale : 0;
}
