import { INT32 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Place, from 1, of a string in a list with commas; 0 when it is not there. */
export const findInSet: ScalarFunction = stringFunction({
  name: 'find_in_set',
  arity: [2, 2],
  rules: [textArgument],
  takes: 'a string and a list with commas',
  returnType: () => INT32,
  doc: {
    summary: 'Place of a string in a comma-separated list, counted from 1; 0 when absent.',
    example: { sql: "SELECT find_in_set('b', 'a,b,c')", result: '2' },
  },
  each(row, [text, list], out) {
    const items = list!.byteLength(row) === 0 ? [] : list!.text(row).split(',');
    out.setI32(row, items.indexOf(text!.text(row)) + 1);
  },
});
