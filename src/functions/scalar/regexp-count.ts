import { DistqError } from '../../base/errors.js';
import { INT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { regexOf, unitOfCharacter } from '../support/regex-arguments.js';
import { int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Number of matches that do not overlap, from a 1-based position on. */
export const regexpCount: ScalarFunction = stringFunction({
  name: 'regexp_count',
  arity: [2, 4],
  rules: [textArgument, textArgument, int64Argument, textArgument],
  uniform: true,
  takes: 'a string, a regular expression and optionally a start and flags',
  returnType: () => INT64,
  doc: {
    summary: 'Number of matches of a regular expression.',
    example: { sql: "SELECT regexp_count('foobar', 'o')", result: '2' },
  },
  each(row, [text, pattern, start, flags], out) {
    const from = start === undefined ? 1 : start.i64Number(row);
    if (from < 1) throw new DistqError('execution', `regexp_count starts at 1 or later, not at ${from}`);
    const value = text!.text(row);
    const unit = unitOfCharacter(value, from);
    let count = 0n;
    if (unit !== undefined) {
      for (const _ of regexOf(row, pattern!, flags).matches(value, unit)) count++;
    }
    out.setI64(row, count);
  },
});
