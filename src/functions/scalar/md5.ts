import { createHash } from 'node:crypto';
import { UTF8_VIEW } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { bytesArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** The MD5 digest in hexadecimal. */
export const md5: ScalarFunction = stringFunction({
  name: 'md5',
  arity: [1, 1],
  rules: [bytesArgument],
  takes: 'a string',
  returnType: () => UTF8_VIEW,
  doc: {
    summary: 'MD5 digest in hexadecimal.',
    example: { sql: "SELECT md5('abc')", result: '900150983cd24fb0d6963f7d28e17f72' },
  },
  each(row, [text], out) {
    out.setText(row, createHash('md5').update(text!.bytes(row)).digest('hex'));
  },
});
