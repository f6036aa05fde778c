import { FLOAT32, FLOAT64 } from '../../columnar/data-type.js';
import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { coerceArguments, float64Argument, requireArity } from './signature.js';
import { strictRows } from './strict-rows.js';

/** A function of two floats: two Float32 give a Float32, everything else is Float64. */
export function binaryFloatFunction(
  name: string,
  aliases: readonly string[],
  apply: (x: number, y: number) => number,
  doc: FunctionDoc,
): ScalarFunction {
  return {
    name,
    aliases,
    volatility: 'immutable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 2);
      if (argTypes.every((type) => type.kind === 'Float32')) return [FLOAT32, FLOAT32];
      return coerceArguments(name, argTypes, [float64Argument], 'two numbers');
    },
    returnType: ([type]) => type ?? FLOAT64,
    evaluate: (input) =>
      strictRows(input, (row, [x, y], out) => {
        out.setFloat(row, apply(x!.float(row), y!.float(row)));
      }),
  };
}
