import type { ScalarFunction } from '../../expr/function.js';
import { selectRows } from '../support/select-rows.js';
import { requireArity } from '../support/signature.js';
import { commonType } from './coalesce.js';

/** The second value where the first is not null, else the third. */
export const nvl2: ScalarFunction = {
  name: 'nvl2',
  aliases: [],
  volatility: 'immutable',
  strict: false,
  nullable: ([, then, otherwise]) => then !== false || otherwise !== false,
  doc: {
    summary: 'The second value where the first is not null, else the third.',
    example: { sql: 'SELECT nvl2(NULL, 1, 2)', result: '2' },
  },
  coerce(argTypes) {
    requireArity('nvl2', argTypes, 3);
    const type = commonType('nvl2', argTypes);
    return [type, type, type];
  },
  returnType: ([, type]) => type ?? { kind: 'Null' },
  evaluate: (input) => selectRows(input, ([test], row) => (test!.isNull(row) ? 2 : 1)),
  simplify([test, then, otherwise]) {
    if (test === undefined || then === undefined || otherwise === undefined) return undefined;
    const when = { kind: 'is', expr: test, test: 'NULL', negated: true } as const;
    return { kind: 'case', operand: null, branches: [{ when, then }], otherwise };
  },
};
