import { DistqError } from '../../base/errors.js';
import type { DataType } from '../../columnar/data-type.js';
import { isFloating, isSignedInteger, isUnsignedInteger, typeName } from '../../columnar/data-type.js';
import { integerRange } from '../../columnar/integer-range.js';
import type { ScalarFunction } from '../../expr/function.js';
import { coerceArguments, firstArgumentType, numericArgument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** Absolute value; the type stays. The smallest signed integer has none: an `execution` error. */
export const abs: ScalarFunction = {
  name: 'abs',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: { summary: 'Absolute value.', example: { sql: 'SELECT abs(-5)', result: '5' } },
  coerce(argTypes) {
    requireArity('abs', argTypes, 1);
    return coerceArguments('abs', argTypes, [numericArgument], 'a number');
  },
  returnType: firstArgumentType,
  evaluate(input) {
    const [column] = input.args;
    if (column === undefined || isUnsignedInteger(column.type)) return column!;
    if (isFloating(column.type)) {
      return strictRows(input, (row, [x], out) => {
        out.setFloat(row, Math.abs(x!.float(row)));
      });
    }
    const limit = minimumOf(column.type);
    return strictRows(
      input,
      (row, [x], out) => {
        const value = x!.integer(row);
        if (value === limit) {
          throw new DistqError('execution', `abs(${value}) is out of range of ${typeName(input.returnType)}`);
        }
        out.setInteger(row, value < 0n ? -value : value);
      },
      // A decimal keeps the layout it came in: an absolute value needs no more room.
      column.layout,
    );
  },
};

function minimumOf(type: DataType): bigint | undefined {
  return isSignedInteger(type) ? integerRange(type)?.[0] : undefined;
}
