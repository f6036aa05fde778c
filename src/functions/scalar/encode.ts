import { DistqError } from '../../base/errors.js';
import { UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { bytesArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Bytes as text: `hex`, `base64` (without padding), `base64pad`. */
export const encode: ScalarFunction = stringFunction({
  name: 'encode',
  arity: [2, 2],
  rules: [bytesArgument],
  takes: 'a string and an encoding',
  returnType: () => UTF8,
  doc: {
    summary: 'Bytes as text in hex, base64 or base64pad.',
    example: { sql: "SELECT encode('abc', 'hex')", result: '616263' },
  },
  each(row, [text, encoding], out) {
    const bytes = Buffer.from(text!.bytes(row));
    const name = encoding!.text(row).toLowerCase();
    if (name === 'hex') out.setText(row, bytes.toString('hex'));
    else if (name === 'base64') out.setText(row, bytes.toString('base64').replace(/=+$/, ''));
    else if (name === 'base64pad') out.setText(row, bytes.toString('base64'));
    else throw unknownEncoding('encode', name);
  },
});

export function unknownEncoding(name: string, encoding: string): DistqError {
  return new DistqError('execution', `${name} knows no encoding "${encoding}"`, {
    hint: 'encodings are hex, base64 and base64pad',
  });
}
