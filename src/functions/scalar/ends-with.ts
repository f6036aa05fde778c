import { BOOLEAN } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

export const endsWith: ScalarFunction = stringFunction({
  name: 'ends_with',
  arity: [2, 2],
  rules: [stringArgument],
  takes: 'a string and a suffix',
  returnType: () => BOOLEAN,
  doc: {
    summary: 'Whether a string ends with a suffix.',
    example: { sql: "SELECT ends_with('datafusion', 'sion')", result: 'true' },
  },
  each(row, [text, suffix], out) {
    const [bytes, wanted] = [text!.bytes(row), suffix!.bytes(row)];
    const at = bytes.length - wanted.length;
    out.setBoolean(row, at >= 0 && Buffer.compare(bytes.subarray(at), wanted) === 0);
  },
});
