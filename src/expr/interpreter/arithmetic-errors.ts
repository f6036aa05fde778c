import { DistqError } from '../../base/errors.js';
import { type DataType, typeName } from '../../columnar/data-type.js';
import { displayPhysicalExpr } from '../physical-expr-display.js';
import type { PhysicalBinary } from '../physical-expr.js';

/** The error of a zero divisor: the operation with the values it met, and the expression. */
export function divisionByZero(expr: PhysicalBinary, x: string, y: string): DistqError {
  return new DistqError('execution', `division by zero: ${x} ${expr.op} ${y} in ${displayPhysicalExpr(expr)}`);
}

export function outOfRange(expr: PhysicalBinary, type: DataType, x: string, y: string): DistqError {
  return new DistqError(
    'execution',
    `${x} ${expr.op} ${y} is out of range of ${typeName(type)} in ${displayPhysicalExpr(expr)}`,
  );
}
