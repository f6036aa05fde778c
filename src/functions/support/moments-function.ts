import { BINARY, field, FLOAT64, UINT64 } from '../../columnar/data-type.js';
import type { AggregateFunction, FunctionDoc } from '../../expr/function.js';
import { DistinctAccumulator } from './distinct-accumulator.js';
import { MomentsAccumulator } from './moments-accumulator.js';
import { coerceArguments, float64Argument, requireArity } from './signature.js';

/** Variance (`root` false) or standard deviation, of a sample (n − 1) or of the population (n). */
export function momentsFunction(
  name: string,
  aliases: readonly string[],
  options: { readonly sample: boolean; readonly root: boolean },
  doc: FunctionDoc,
): AggregateFunction {
  return {
    name,
    aliases,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1);
      return coerceArguments(name, argTypes, [float64Argument], 'a number');
    },
    returnType: () => FLOAT64,
    nullable: true,
    stateFields: (column, _, distinct) =>
      distinct
        ? [field(`${column}[distinct]`, BINARY, false)]
        : [
            field(`${column}[count]`, UINT64, false),
            field(`${column}[mean]`, FLOAT64, false),
            field(`${column}[m2]`, FLOAT64, false),
          ],
    orderSensitive: false,
    createAccumulator(_, { distinct }) {
      const plain = new MomentsAccumulator(options.sample, options.root);
      return distinct ? new DistinctAccumulator(plain, FLOAT64) : plain;
    },
  };
}
