import { DistqError } from '../../base/errors.js';
import { BINARY } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { bytesArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';
import { unknownEncoding } from './encode.js';

/** Text in `hex` or `base64` back to bytes; other characters are an `execution` error. */
export const decode: ScalarFunction = stringFunction({
  name: 'decode',
  arity: [2, 2],
  rules: [bytesArgument],
  takes: 'a string and an encoding',
  returnType: () => BINARY,
  doc: {
    summary: 'Bytes from text in hex, base64 or base64pad.',
    example: { sql: "SELECT encode(decode('YWJj', 'base64'), 'hex')", result: '616263' },
  },
  each(row, [text, encoding], out) {
    const source = text!.text(row);
    const name = encoding!.text(row).toLowerCase();
    if (name === 'hex') {
      if (!/^([0-9a-f]{2})*$/i.test(source)) throw malformed(source, name);
      out.setBytes(row, Buffer.from(source, 'hex'));
    } else if (name === 'base64' || name === 'base64pad') {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(source)) throw malformed(source, name);
      out.setBytes(row, Buffer.from(source, 'base64'));
    } else {
      throw unknownEncoding('decode', name);
    }
  },
});

function malformed(text: string, encoding: string): DistqError {
  return new DistqError('execution', `"${text}" is no ${encoding}`);
}
