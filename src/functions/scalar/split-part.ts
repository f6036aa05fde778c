import { DistqError } from '../../base/errors.js';
import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, int64Argument, stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** The n-th field of a string, from 1, negative from the end; an empty string when there is none. */
export const splitPart: ScalarFunction = stringFunction({
  name: 'split_part',
  arity: [3, 3],
  rules: [stringArgument, stringArgument, int64Argument],
  takes: 'a string, a delimiter and a place',
  returnType: firstArgumentType,
  doc: {
    summary: 'A field of a delimited string, counted from 1, or from the end when negative.',
    example: { sql: "SELECT split_part('a.b.c', '.', 2)", result: 'b' },
  },
  each(row, [text, delimiter, place], out) {
    const index = place!.i64Number(row);
    if (index === 0) throw new DistqError('execution', 'split_part counts fields from 1, not from 0');
    const separator = delimiter!.text(row);
    // An empty delimiter splits nothing.
    const fields = separator === '' ? [text!.text(row)] : text!.text(row).split(separator);
    out.setText(row, fields[index > 0 ? index - 1 : fields.length + index] ?? '');
  },
});
