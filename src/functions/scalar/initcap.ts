import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** First letter of each word in upper case, the rest in lower; words are runs of letters and digits. */
export const initcap: ScalarFunction = stringFunction({
  name: 'initcap',
  arity: [1, 1],
  rules: [stringArgument],
  takes: 'a string',
  returnType: firstArgumentType,
  doc: {
    summary: 'Capitalises each word.',
    example: { sql: "SELECT initcap('hello wORLD')", result: 'Hello World' },
  },
  each(row, [text], out) {
    let inside = false;
    let result = '';
    for (const character of text!.text(row)) {
      result += inside ? character.toLowerCase() : character.toUpperCase();
      inside = /[\p{Alphabetic}\p{Number}]/u.test(character);
    }
    out.setText(row, result);
  },
});
