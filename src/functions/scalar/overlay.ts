import { DistqError } from '../../base/errors.js';
import { LARGE_UTF8, UTF8 } from '../../columnar/data-type.js';
import { codePointsOf } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Puts a text over another from a 1-based position on; the length it covers is its own unless given. */
export const overlay: ScalarFunction = stringFunction({
  name: 'overlay',
  arity: [3, 4],
  rules: [textArgument, textArgument, int64Argument],
  takes: 'a string, the text to put over it, a position and optionally a length',
  returnType: ([type]) => (type?.kind === 'LargeUtf8' ? LARGE_UTF8 : UTF8),
  doc: {
    summary: 'Puts a text over a part of another.',
    example: { sql: "SELECT overlay('Txxxxas', 'hom', 2, 4)", result: 'Thomas' },
  },
  each(row, [text, over, position, length], out) {
    const at = position!.i64Number(row);
    if (at < 1) throw new DistqError('execution', `overlay starts at 1 or later, not at ${at}`);
    const characters = codePointsOf(text!.text(row));
    const put = over!.text(row);
    const covered = length === undefined ? codePointsOf(put).length : Math.max(length.i64Number(row), 0);
    out.setText(row, characters.slice(0, at - 1).join('') + put + characters.slice(at - 1 + covered).join(''));
  },
});
