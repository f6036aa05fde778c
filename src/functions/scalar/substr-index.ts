import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, int64Argument, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** What stands before the n-th delimiter; with a negative n what stands after the n-th from the end. */
export const substrIndex: ScalarFunction = stringFunction({
  name: 'substr_index',
  aliases: ['substring_index'],
  arity: [3, 3],
  rules: [textArgument, textArgument, int64Argument],
  takes: 'a string, a delimiter and a count',
  returnType: firstArgumentType,
  doc: {
    summary: 'The part before the n-th delimiter; negative numbers count from the end.',
    example: { sql: "SELECT substr_index('www.apache.org', '.', 2)", result: 'www.apache' },
  },
  each(row, [text, delimiter, count], out) {
    const separator = delimiter!.text(row);
    const wanted = count!.i64Number(row);
    if (separator === '' || wanted === 0) {
      out.setText(row, '');
      return;
    }
    const fields = text!.text(row).split(separator);
    const kept = wanted > 0 ? fields.slice(0, wanted) : fields.slice(wanted);
    out.setText(row, kept.join(separator));
  },
});
