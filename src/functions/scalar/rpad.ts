import type { ScalarFunction } from '../../expr/function.js';
import { padding } from '../support/pad.js';
import { int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';
import { paddedType } from './lpad.js';

/** Fills a string on the right up to a length; a longer one is cut at its end. */
export const rpad: ScalarFunction = stringFunction({
  name: 'rpad',
  arity: [2, 3],
  rules: [textArgument, int64Argument, textArgument],
  takes: 'a string, a length and optionally the text to fill with',
  returnType: paddedType,
  doc: {
    summary: 'Fills a string on the right (with blanks or the text given) up to a length.',
    example: { sql: "SELECT rpad('7', 3, '0')", result: '700' },
  },
  each(row, args, out) {
    const { kept, added } = padding('rpad', row, args);
    out.setText(row, kept + added);
  },
});
