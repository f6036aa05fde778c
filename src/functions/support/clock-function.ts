import type { DataType } from '../../columnar/data-type.js';
import { columnFromScalar } from '../../columnar/from-values.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { requireArity } from './signature.js';

/** A function of the clock. It is stable: the planner replaces each call by its value, once per query. */
export function clockFunction(
  name: string,
  aliases: readonly string[],
  type: DataType,
  read: () => ScalarValue['value'],
  doc: FunctionDoc,
): ScalarFunction {
  return {
    name,
    aliases,
    volatility: 'stable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 0);
      return [];
    },
    returnType: () => type,
    evaluate: ({ numRows, arena }) => columnFromScalar({ type, value: read() }, numRows, arena),
  };
}
