import { DistqError } from '../../base/errors.js';
import { INT64, typeName } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { coerceArguments, int64Argument, requireArity } from './signature.js';
import { strictRows } from './strict-rows.js';

/** A function of two Int64; a result outside Int64 is an `execution` error. */
export function integerPairFunction(
  name: string,
  apply: (a: bigint, b: bigint) => bigint,
  doc: FunctionDoc,
): ScalarFunction {
  return {
    name,
    aliases: [],
    volatility: 'immutable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 2);
      return coerceArguments(name, argTypes, [int64Argument], 'two integers');
    },
    returnType: () => INT64,
    evaluate: (input) =>
      strictRows(input, (row, [a, b], out) => {
        const [x, y] = [a!.i64(row), b!.i64(row)];
        const result = apply(x, y);
        if (!fitsInteger(INT64, result)) {
          throw new DistqError('execution', `${name}(${x}, ${y}) is out of range of ${typeName(INT64)}`);
        }
        out.setI64(row, result);
      }),
  };
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
