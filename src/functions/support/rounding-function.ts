import { DistqError } from '../../base/errors.js';
import { isDecimal, typeName } from '../../columnar/data-type.js';
import { formatDecimal } from '../../columnar/decimal-text.js';
import { narrowDecimal } from '../../columnar/flatten.js';
import type { FunctionDoc, ScalarFunction, ScalarFunctionInput } from '../../expr/function.js';
import type { Column } from '../../columnar/column.js';
import { coerceArguments, decimalOrFloatArgument, firstArgumentType, requireArity } from './signature.js';
import { strictRows } from './strict-rows.js';

/** `ceil` (direction 1) or `floor` (−1). Decimals keep their type: a result of too many digits is an `execution` error. */
export function roundingFunction(
  name: string,
  apply: (x: number) => number,
  direction: 1 | -1,
  doc: FunctionDoc,
): ScalarFunction {
  return {
    name,
    aliases: [],
    volatility: 'immutable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1);
      return coerceArguments(name, argTypes, [decimalOrFloatArgument], 'a number');
    },
    returnType: firstArgumentType,
    evaluate(input) {
      if (isDecimal(input.returnType)) return roundDecimals(name, input, direction);
      return strictRows(input, (row, [x], out) => {
        out.setFloat(row, apply(x!.float(row)));
      });
    },
  };
}

function roundDecimals(name: string, input: ScalarFunctionInput, direction: 1 | -1): Column {
  const { returnType: type, arena } = input;
  const [scale, precision] = isDecimal(type) ? [type.scale, type.precision] : [0, 38];
  const unit = 10n ** BigInt(Math.max(scale, 0));
  const limit = 10n ** BigInt(precision);
  const wide = strictRows(
    input,
    (row, [x], out) => {
      const value = x!.integer(row);
      const rest = value % unit;
      const away = direction === 1 ? rest > 0n : rest < 0n;
      const result = value - rest + (away ? BigInt(direction) * unit : 0n);
      if (result >= limit || result <= -limit) {
        throw new DistqError(
          'execution',
          `${name}(${formatDecimal(value, scale)}) is out of range of ${typeName(type)}`,
        );
      }
      out.setInteger(row, result);
    },
    'i128',
  );
  return wide.encoding === 'flat' ? narrowDecimal(wide, arena) : wide;
}
