import { DistqError } from '../../base/errors.js';
import { INT64 } from '../../columnar/data-type.js';
import { codePointsOf } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { regexOf, unitOfCharacter } from '../support/regex-arguments.js';
import { int64Argument, stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** 1-based position of the n-th match, or of one of its groups; 0 when there is none. */
export const regexpInstr: ScalarFunction = stringFunction({
  name: 'regexp_instr',
  arity: [2, 6],
  rules: [stringArgument, stringArgument, int64Argument, int64Argument, stringArgument, int64Argument],
  uniform: true,
  takes: 'a string, a regular expression and optionally a start, which match, flags and a group',
  returnType: () => INT64,
  doc: {
    summary: 'Position of a match of a regular expression; 0 when there is none.',
    example: { sql: "SELECT regexp_instr('foobar', 'b.r')", result: '4' },
  },
  each(row, [text, pattern, start, nth, flags, group], out) {
    const number = (argument: typeof start, fallback: number): number =>
      argument === undefined ? fallback : argument.i64Number(row);
    const [from, wanted, part] = [number(start, 1), number(nth, 1), number(group, 0)];
    if (from < 1 || wanted < 1 || part < 0) {
      throw new DistqError('execution', 'regexp_instr counts starts and matches from 1 and groups from 0');
    }
    const value = text!.text(row);
    const unit = unitOfCharacter(value, from);
    let left = wanted;
    let position = 0;
    if (unit !== undefined) {
      for (const captures of regexOf(row, pattern!, flags).matches(value, unit)) {
        if (--left > 0) continue;
        const at = captures[part * 2] ?? -1;
        if (at >= 0) position = codePointsOf(value.slice(0, at)).length + 1;
        break;
      }
    }
    out.setI64(row, BigInt(position));
  },
});
