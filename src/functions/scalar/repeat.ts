import type { ScalarFunction } from '../../expr/function.js';
import { checkLength } from '../support/pad.js';
import { firstArgumentType, int64Argument, stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** A string n times; nothing for n ≤ 0. */
export const repeat: ScalarFunction = stringFunction({
  name: 'repeat',
  arity: [2, 2],
  rules: [stringArgument, int64Argument],
  takes: 'a string and how often',
  returnType: firstArgumentType,
  doc: { summary: 'A string several times in a row.', example: { sql: "SELECT repeat('ab', 3)", result: 'ababab' } },
  each(row, [text, count], out) {
    const times = Math.max(count!.i64Number(row), 0);
    const bytes = text!.bytes(row);
    checkLength('repeat', bytes.length * times);
    out.setBytes(row, bytes.length === 0 ? bytes : Buffer.alloc(bytes.length * times, bytes));
  },
});
