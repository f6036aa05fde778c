import { ColumnReader } from '../../columnar/column-reader.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import type { RegexOperator } from '../expr.js';
import { cachedRegex } from '../regex/regex-cache.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';

/** `~`, `~*`, `!~`, `!~*`: whether a text holds a match of a regular expression. */
export function compileRegexMatch(op: RegexOperator, left: EvalNode, right: EvalNode): EvalNode {
  const negated = op.startsWith('!');
  const flags = op.endsWith('*') ? 'i' : '';
  return (context, rows) => {
    const [texts, patterns] = [left(context, rows), right(context, rows)];
    const [readText, readPattern] = [new ColumnReader(texts), new ColumnReader(patterns)];
    return strictColumn(context, rows, [texts, patterns], BOOLEAN, (row, out) => {
      const matched = cachedRegex(readPattern.text(row), flags).test(readText.text(row));
      out.setBoolean(row, matched !== negated);
    });
  };
}
