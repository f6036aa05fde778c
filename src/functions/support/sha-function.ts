import { createHash } from 'node:crypto';
import { BINARY } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { bytesArgument } from './signature.js';
import { stringFunction } from './string-function.js';

/** `sha224` … `sha512`: the digest as bytes. */
export function shaFunction(name: string, example: string): ScalarFunction {
  return stringFunction({
    name,
    arity: [1, 1],
    rules: [bytesArgument],
    takes: 'a string',
    returnType: () => BINARY,
    doc: {
      summary: `${name.toUpperCase()} digest as bytes.`,
      example: { sql: `SELECT left(encode(${name}('abc'), 'hex'), 8)`, result: example },
    },
    each(row, [text], out) {
      out.setBytes(row, createHash(name).update(text!.bytes(row)).digest());
    },
  });
}
