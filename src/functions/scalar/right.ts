import { codePointOffset, countCodePoints } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** The last n characters; a negative n leaves that many off the start. */
export const right: ScalarFunction = stringFunction({
  name: 'right',
  arity: [2, 2],
  rules: [textArgument, int64Argument],
  takes: 'a string and a number of characters',
  returnType: firstArgumentType,
  doc: {
    summary: 'The last characters; with a negative number all but the first ones.',
    example: { sql: "SELECT right('datafusion', 6)", result: 'fusion' },
  },
  each(row, [text, count], out) {
    const [start, length] = [text!.start(row), text!.byteLength(row)];
    const wanted = count!.i64Number(row);
    const dropped = wanted >= 0 ? Math.max(countCodePoints(start, length) - wanted, 0) : -wanted;
    const offset = codePointOffset(start, length, dropped);
    out.setView(row, start + offset, length - offset);
  },
});
