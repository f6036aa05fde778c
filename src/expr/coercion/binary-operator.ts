import { DistqError } from '../../base/errors.js';
import { BOOLEAN, type DataType, isInteger, typeName } from '../../columnar/data-type.js';
import type { BinaryOperator } from '../expr.js';
import { arithmeticSignature, type OperatorSignature } from './arithmetic.js';
import { comparisonCoercion, nullCoercion } from './comparison.js';
import { plainNumericCoercion } from './numeric.js';
import { concatCoercion, likeCoercion } from './string.js';

export type { OperatorSignature } from './arithmetic.js';

/**
 * The types a binary operator takes and gives for operands of these types; a `plan` error naming both types when it takes none.
 * The analyzer casts operands to it; `expr-schema.ts` and physical expressions read the result from it.
 */
export function binarySignature(left: DataType, op: BinaryOperator, right: DataType): OperatorSignature {
  const found = lookup(left, op, right);
  if (found !== undefined) return found;
  throw new DistqError('plan', `${op} does not take ${typeName(left)} and ${typeName(right)}`, {
    hint: 'cast one side to the type you mean',
  });
}

function lookup(left: DataType, op: BinaryOperator, right: DataType): OperatorSignature | undefined {
  switch (op) {
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'IS DISTINCT FROM':
    case 'IS NOT DISTINCT FROM':
      return uniform(comparisonCoercion(left, right), BOOLEAN);
    case 'AND':
    case 'OR':
      return isTruth(left) && isTruth(right) ? uniform(BOOLEAN) : undefined;
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmeticSignature(left, op, right);
    case '~':
    case '~*':
    case '!~':
    case '!~*':
      return uniform(likeCoercion(left, right), BOOLEAN);
    case '&':
    case '|':
    case 'BIT_XOR':
    case '<<':
    case '>>':
      return uniform(bitwiseCoercion(left, right));
    case '||':
      return uniform(concatCoercion(left, right));
  }
}

function uniform(operand: DataType | undefined, result?: DataType): OperatorSignature | undefined {
  return operand === undefined ? undefined : { left: operand, right: operand, result: result ?? operand };
}

function isTruth(type: DataType): boolean {
  return type.kind === 'Boolean' || type.kind === 'Null';
}

function bitwiseCoercion(left: DataType, right: DataType): DataType | undefined {
  const other = nullCoercion(left, right);
  if (other !== undefined) return isInteger(other) ? other : undefined;
  if (!isInteger(left) || !isInteger(right)) return undefined;
  // UInt64 stays, whatever the sign of the other side.
  if (left.kind === 'UInt64' || right.kind === 'UInt64') return { kind: 'UInt64' };
  return plainNumericCoercion(left, right);
}
