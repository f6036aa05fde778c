import type { DataType } from '../../columnar/data-type.js';
import type { Expr } from '../../expr/expr.js';
import type { ExprFacts, ScalarFunction } from '../../expr/function.js';
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
  simplify: (args, facts) => asCase(args, facts),
  evaluate: (input) => selectRows(input, (readers, row) => readers.findIndex((reader) => !reader.isNull(row))),
};

/** `coalesce(a, b)` → `CASE WHEN a IS NOT NULL THEN a ELSE b END`, without what is null anyway and what stands behind a sure value. */
function asCase(args: readonly Expr[], facts: ExprFacts): Expr | undefined {
  const possible = args.filter((arg) => arg.kind !== 'literal' || arg.value.value !== null);
  const sure = possible.findIndex((arg) => !facts.nullable(arg));
  const used = sure < 0 ? possible : possible.slice(0, sure + 1);
  const last = used.at(-1) ?? args[0];
  if (last === undefined || used.length <= 1) return last;
  return {
    kind: 'case',
    operand: null,
    branches: used.slice(0, -1).map((arg) => ({
      when: { kind: 'is', expr: arg, test: 'NULL', negated: true },
      then: arg,
    })),
    otherwise: last,
  };
}

/** One type for values that stand side by side (`coalesce`, `nvl`); a `plan` error when there is none. */
export function commonType(name: string, argTypes: readonly DataType[]): DataType {
  const common = comparisonUnion(argTypes);
  if (common === undefined) throw wrongArguments(name, argTypes, 'values of one kind');
  return common;
}
