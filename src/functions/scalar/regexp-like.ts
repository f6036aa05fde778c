import { BOOLEAN } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { regexOf } from '../support/regex-arguments.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Whether a text holds a match; without flags the planner makes the operator `~` of it. */
export const regexpLike: ScalarFunction = {
  ...stringFunction({
    name: 'regexp_like',
    arity: [2, 3],
    rules: [stringArgument],
    takes: 'a string, a regular expression and optionally flags',
    returnType: () => BOOLEAN,
    doc: {
      summary: 'Whether a string holds a match of a regular expression.',
      example: { sql: "SELECT regexp_like('Köln', 'k(ö|oe)ln', 'i')", result: 'true' },
    },
    each(row, [text, pattern, flags], out) {
      out.setBoolean(row, regexOf(row, pattern!, flags).test(text!.text(row)));
    },
  }),
  simplify([text, pattern, flags]) {
    if (text === undefined || pattern === undefined) return undefined;
    if (flags === undefined) return { kind: 'binary', left: text, op: '~', right: pattern };
    const caseOnly = flags.kind === 'literal' && flags.value.value === 'i';
    return caseOnly ? { kind: 'binary', left: text, op: '~*', right: pattern } : undefined;
  },
};
