import { ColumnReader } from '../../columnar/column-reader.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import type { PhysicalLike } from '../physical-expr.js';
import type { Compile, EvalNode } from './eval-node.js';
import { type LikePattern, matchesLike, parseLikePattern, requireEscape } from './like-matcher.js';
import { strictColumn } from './strict.js';

const encoder = new TextEncoder();

/** `[NOT] LIKE` and `ILIKE` over UTF-8 bytes; `_` is one code point. ILIKE compares lower-case forms. */
export function compileLike(expr: PhysicalLike, compile: Compile): EvalNode {
  const { negated, caseInsensitive } = expr;
  const escape = requireEscape(expr.escape);
  const parse = (pattern: string): LikePattern =>
    parseLikePattern(caseInsensitive ? pattern.toLowerCase() : pattern, escape);
  const constant =
    expr.pattern.kind === 'literal' && typeof expr.pattern.value.value === 'string'
      ? parse(expr.pattern.value.value)
      : undefined;
  const value = compile(expr.expr);
  const pattern = compile(expr.pattern);
  return (context, rows) => {
    const [texts, patterns] = [value(context, rows), pattern(context, rows)];
    const [readText, readPattern] = [new ColumnReader(texts), new ColumnReader(patterns)];
    return strictColumn(context, rows, [texts, patterns], BOOLEAN, (row, out) => {
      const bytes = caseInsensitive ? encoder.encode(readText.text(row).toLowerCase()) : readText.bytes(row);
      out.setBoolean(row, matchesLike(bytes, constant ?? parse(readPattern.text(row))) !== negated);
    });
  };
}
