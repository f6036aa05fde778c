import { codePointOffset, countCodePoints } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** The first n characters; a negative n leaves that many off the end. */
export const left: ScalarFunction = stringFunction({
  name: 'left',
  arity: [2, 2],
  rules: [textArgument, int64Argument],
  takes: 'a string and a number of characters',
  returnType: firstArgumentType,
  doc: {
    summary: 'The first characters; with a negative number all but the last ones.',
    example: { sql: "SELECT left('datafusion', 4)", result: 'data' },
  },
  each(row, [text, count], out) {
    const [start, length] = [text!.start(row), text!.byteLength(row)];
    const wanted = count!.i64Number(row);
    const kept = wanted >= 0 ? wanted : Math.max(countCodePoints(start, length) + wanted, 0);
    out.setView(row, start, codePointOffset(start, length, kept));
  },
});
