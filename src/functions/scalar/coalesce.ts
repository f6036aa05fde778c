import type { DataType } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { comparisonUnion } from '../../expr/coercion/union.js';
import { selectRows } from '../support/select-rows.js';
import { requireArity, wrongArguments } from '../support/signature.js';

/** The first argument that is not null. The evaluator computes later arguments only where the earlier ones are null. */
export const coalesce: ScalarFunction = {
  name: 'coalesce',
  aliases: [],
  volatility: 'immutable',
  strict: false,
  doc: { summary: 'The first value that is not null.', example: { sql: 'SELECT coalesce(NULL, 7)', result: '7' } },
  coerce(argTypes) {
    requireArity('coalesce', argTypes, 1, Infinity);
    const type = commonType('coalesce', argTypes);
    return argTypes.map(() => type);
  },
  returnType: (argTypes) => argTypes.find((type) => type.kind !== 'Null') ?? { kind: 'Null' },
  nullable: (argNullable) => !argNullable.includes(false),
  evaluate: (input) => selectRows(input, (readers, row) => readers.findIndex((reader) => !reader.isNull(row))),
};

/** One type for values that stand side by side (`coalesce`, `nvl`); a `plan` error when there is none. */
export function commonType(name: string, argTypes: readonly DataType[]): DataType {
  const common = comparisonUnion(argTypes);
  if (common === undefined) throw wrongArguments(name, argTypes, 'values of one kind');
  return common;
}
