import { notImplemented } from '../../base/errors.js';
import { type DataType, field, FLOAT64 } from '../../columnar/data-type.js';
import type { AggregateFunction, FunctionDoc } from '../../expr/function.js';
import { PAIR_PARTS, type PairMoments, PairsAccumulator } from './pairs-accumulator.js';
import { coerceArguments, float64Argument, requireArity } from './signature.js';

/** An aggregate of two numbers per row (`corr`, `covar_…`, `regr_…`). */
export function pairsFunction(
  name: string,
  aliases: readonly string[],
  finish: (moments: PairMoments) => number | undefined,
  doc: FunctionDoc,
  type: DataType = FLOAT64,
): AggregateFunction {
  return {
    name,
    aliases,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 2);
      return coerceArguments(name, argTypes, [float64Argument], 'two numbers');
    },
    returnType: () => type,
    nullable: true,
    stateFields: (column) => PAIR_PARTS.map((part) => field(`${column}[${part}]`, FLOAT64, false)),
    orderSensitive: false,
    createAccumulator(_, { distinct }) {
      if (distinct) throw notImplemented(`${name}(DISTINCT …)`);
      return new PairsAccumulator(type, finish);
    },
  };
}
