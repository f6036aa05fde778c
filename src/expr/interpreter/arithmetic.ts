import { ColumnReader } from '../../columnar/column-reader.js';
import { isDecimal, isFloating, isInteger } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import type { ArithmeticOperator } from '../expr.js';
import type { PhysicalBinary } from '../physical-expr.js';
import { divisionByZero, outOfRange } from './arithmetic-errors.js';
import { compileDecimalArithmetic } from './decimal-arithmetic.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';
import { compileTemporalArithmetic } from './temporal-arithmetic.js';

/** `+ - * / %`: integers checked, floats IEEE, decimals exact, dates and times with intervals. */
export function compileArithmetic(
  expr: PhysicalBinary,
  op: ArithmeticOperator,
  left: EvalNode,
  right: EvalNode,
): EvalNode {
  if (isDecimal(expr.left.type) && isDecimal(expr.right.type)) return compileDecimalArithmetic(expr, op, left, right);
  if (isInteger(expr.type) && isInteger(expr.left.type)) return compileIntegers(expr, op, left, right);
  if (isFloating(expr.type)) return compileFloats(expr, op, left, right);
  return compileTemporalArithmetic(expr, op, left, right);
}

function compileIntegers(expr: PhysicalBinary, op: ArithmeticOperator, left: EvalNode, right: EvalNode): EvalNode {
  return (context, rows) => {
    const [a, b] = [left(context, rows), right(context, rows)];
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    return strictColumn(context, rows, [a, b], expr.type, (row, out) => {
      const [x, y] = [readA.integer(row), readB.integer(row)];
      out.setInteger(row, integerResult(expr, op, x, y));
    });
  };
}

function integerResult(expr: PhysicalBinary, op: ArithmeticOperator, x: bigint, y: bigint): bigint {
  if ((op === '/' || op === '%') && y === 0n) throw divisionByZero(expr, String(x), String(y));
  const result = apply(op, x, y);
  if (!fitsInteger(expr.type, result)) throw outOfRange(expr, expr.type, String(x), String(y));
  return result;
}

function apply(op: ArithmeticOperator, x: bigint, y: bigint): bigint {
  switch (op) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    case '%':
      return x % y;
  }
}

function compileFloats(expr: PhysicalBinary, op: ArithmeticOperator, left: EvalNode, right: EvalNode): EvalNode {
  // Storing into an f32 slot rounds once, which for + - * / of two singles equals single arithmetic.
  return (context, rows) => {
    const [a, b] = [left(context, rows), right(context, rows)];
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    return strictColumn(context, rows, [a, b], expr.type, (row, out) => {
      out.setFloat(row, floatResult(op, readA.float(row), readB.float(row)));
    });
  };
}

function floatResult(op: ArithmeticOperator, x: number, y: number): number {
  switch (op) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    case '%':
      return x % y;
  }
}
