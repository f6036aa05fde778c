import { type DataType, LARGE_UTF8, UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { padding } from '../support/pad.js';
import { int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Fills a string on the left up to a length; a longer one is cut at its end. */
export const lpad: ScalarFunction = stringFunction({
  name: 'lpad',
  arity: [2, 3],
  rules: [textArgument, int64Argument, textArgument],
  takes: 'a string, a length and optionally the text to fill with',
  returnType: paddedType,
  doc: {
    summary: 'Fills a string on the left (with blanks or the text given) up to a length.',
    example: { sql: "SELECT lpad('7', 3, '0')", result: '007' },
  },
  each(row, args, out) {
    const { kept, added } = padding('lpad', row, args);
    out.setText(row, added + kept);
  },
});

/** Plain strings, also for views. */
export function paddedType([type]: readonly DataType[]): DataType {
  return type?.kind === 'LargeUtf8' ? LARGE_UTF8 : UTF8;
}
