import { firstArgumentType, textArgument } from '../support/signature.js';
import type { ScalarFunction } from '../../expr/function.js';
import type { Captures, Regex } from '../../expr/regex/regex.js';
import { checkLength } from '../support/pad.js';
import { regexOf } from '../support/regex-arguments.js';
import { stringFunction } from '../support/string-function.js';

/** Replaces the first match, or every one with the flag `g`. The replacement may name groups: `\1`, `$1`, `${name}`. */
export const regexpReplace: ScalarFunction = stringFunction({
  name: 'regexp_replace',
  arity: [3, 4],
  rules: [textArgument],
  uniform: true,
  takes: 'a string, a regular expression, a replacement and optionally flags',
  returnType: firstArgumentType,
  doc: {
    summary: 'Replaces the first match of a regular expression, or all with the flag g.',
    example: {
      sql: "SELECT regexp_replace('https://www.example.org/x', '^https?://(?:www\\.)?([^/]+)/.*$', '\\1')",
      result: 'example.org',
    },
  },
  each(row, [text, pattern, replacement, flags], out) {
    const regex = regexOf(row, pattern!, flags);
    const all = flags?.text(row).includes('g') ?? false;
    const value = text!.text(row);
    const template = replacement!.text(row);
    let result = '';
    let at = 0;
    for (const captures of regex.matches(value)) {
      const [start = 0, end = 0] = captures;
      result += value.slice(at, start) + expand(template, regex, value, captures);
      at = end;
      if (!all) break;
    }
    if (at === 0 && result === '') {
      out.setView(row, text!.start(row), text!.byteLength(row));
      return;
    }
    result += value.slice(at);
    checkLength('regexp_replace', result.length);
    out.setText(row, result);
  },
});

/** Puts groups into a replacement: `\1` and `$1` by number, `${…}` by number or name, `$$` is a dollar. Unknown groups are empty. */
function expand(template: string, regex: Regex, text: string, captures: Captures): string {
  return template.replace(
    /\\(\d+)|\$\$|\$\{(\w+)\}|\$(\w+)/g,
    (whole: string, digit: string | undefined, braced: string | undefined, bare: string | undefined) => {
      if (whole === '$$') return '$';
      const name = digit ?? braced ?? bare ?? '';
      const group = /^\d+$/.test(name) ? Number(name) : regex.names.get(name);
      const start = group === undefined ? -1 : (captures[group * 2] ?? -1);
      return group === undefined || start < 0 ? '' : text.slice(start, captures[group * 2 + 1]);
    },
  );
}
