import { UTF8, LARGE_UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { checkLength } from '../support/pad.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Replaces every occurrence of a text; an empty one occurs nowhere. */
export const replace: ScalarFunction = stringFunction({
  name: 'replace',
  arity: [3, 3],
  rules: [stringArgument],
  takes: 'a string, the text to find and its replacement',
  returnType: ([type]) => (type?.kind === 'LargeUtf8' ? LARGE_UTF8 : UTF8),
  doc: {
    summary: 'Replaces every occurrence of a text by another.',
    example: { sql: "SELECT replace('aXbX', 'X', '-')", result: 'a-b-' },
  },
  each(row, [text, from, to], out) {
    const bytes = Buffer.from(text!.bytes(row));
    const [needle, replacement] = [from!.bytes(row), to!.bytes(row)];
    if (needle.length === 0 || bytes.indexOf(needle) < 0) {
      out.setView(row, text!.start(row), text!.byteLength(row));
      return;
    }
    const parts: Uint8Array[] = [];
    let at = 0;
    for (let next = bytes.indexOf(needle); next >= 0; next = bytes.indexOf(needle, at)) {
      parts.push(bytes.subarray(at, next), replacement);
      at = next + needle.length;
    }
    parts.push(bytes.subarray(at));
    checkLength(
      'replace',
      parts.reduce((sum, part) => sum + part.length, 0),
    );
    out.setBytes(row, Buffer.concat(parts));
  },
});
