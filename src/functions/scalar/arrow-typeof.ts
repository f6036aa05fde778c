import { columnFromScalar } from '../../columnar/from-values.js';
import { typeName, UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { requireArity } from '../support/signature.js';

/** The Arrow type of an expression, as text. */
export const arrowTypeof: ScalarFunction = {
  name: 'arrow_typeof',
  aliases: [],
  volatility: 'immutable',
  strict: false,
  doc: { summary: 'The Arrow type of a value.', example: { sql: 'SELECT arrow_typeof(1)', result: 'Int64' } },
  coerce(argTypes) {
    requireArity('arrow_typeof', argTypes, 1);
    return [...argTypes];
  },
  returnType: () => UTF8,
  evaluate: ({ args, numRows, arena }) =>
    columnFromScalar({ type: UTF8, value: typeName(args[0]!.type) }, numRows, arena),
};
