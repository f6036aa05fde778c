import { FLOAT64 } from '../../columnar/data-type.js';
import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { coerceArguments, floatArgument, requireArity } from './signature.js';
import { strictRows } from './strict-rows.js';

/** A function of one float: Float32 stays Float32, every other number becomes Float64. */
export function unaryFloatFunction(name: string, apply: (x: number) => number, doc: FunctionDoc): ScalarFunction {
  return {
    name,
    aliases: [],
    volatility: 'immutable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1);
      return coerceArguments(name, argTypes, [floatArgument], 'a number');
    },
    returnType: ([type]) => type ?? FLOAT64,
    evaluate: (input) =>
      strictRows(input, (row, [x], out) => {
        out.setFloat(row, apply(x!.float(row)));
      }),
  };
}
