import { codePointsOf } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

export const reverse: ScalarFunction = stringFunction({
  name: 'reverse',
  arity: [1, 1],
  rules: [textArgument],
  takes: 'a string',
  returnType: firstArgumentType,
  doc: { summary: 'The characters in reverse order.', example: { sql: "SELECT reverse('abc')", result: 'cba' } },
  each(row, [text], out) {
    out.setText(row, codePointsOf(text!.text(row)).reverse().join(''));
  },
});
