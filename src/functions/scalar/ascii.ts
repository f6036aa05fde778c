import { INT32 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** The code point of the first character; 0 for an empty string. */
export const ascii: ScalarFunction = stringFunction({
  name: 'ascii',
  arity: [1, 1],
  rules: [stringArgument],
  takes: 'a string',
  returnType: () => INT32,
  doc: { summary: 'The Unicode number of the first character.', example: { sql: "SELECT ascii('abc')", result: '97' } },
  each(row, [text], out) {
    out.setI32(row, text!.text(row).codePointAt(0) ?? 0);
  },
});
