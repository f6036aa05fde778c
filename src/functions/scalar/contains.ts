import { BOOLEAN } from '../../columnar/data-type.js';
import { indexOfBytes } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

export const contains: ScalarFunction = stringFunction({
  name: 'contains',
  arity: [2, 2],
  rules: [stringArgument],
  takes: 'a string and the string to find',
  returnType: () => BOOLEAN,
  doc: {
    summary: 'Whether a string holds another.',
    example: { sql: "SELECT contains('datafusion', 'fus')", result: 'true' },
  },
  each(row, [text, needle], out) {
    out.setBoolean(row, indexOfBytes(text!.bytes(row), needle!.bytes(row)) >= 0);
  },
});
