import type { Span } from './errors.js';

/** Longest piece of a line that is shown. */
const MAX_SHOWN = 100;

/** Characters that take two columns of a terminal. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;

/**
 * The line a span starts on, and below it carets under the span:
 *
 *     where l_shipdte < 5
 *           ^^^^^^^^^
 *
 * A span over several lines is marked to the end of its first line. Long lines are cut around the span. Empty when the span lies
 * outside the text.
 */
export function sourceExcerpt(text: string, span: Span): string[] {
  const line = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    [span.line - 1]?.replace(/\r$/, '');
  if (line === undefined) return [];
  const characters = Array.from(line.replaceAll('\t', ' '));
  const start = Math.min(Math.max(span.column - 1, 0), characters.length);
  const isOneLine = (span.endLine ?? span.line) === span.line;
  const end = Math.min(isOneLine ? (span.endColumn ?? start + 2) - 1 : characters.length, characters.length);

  const from = characters.length <= MAX_SHOWN ? 0 : Math.max(0, Math.min(start - 20, characters.length - MAX_SHOWN));
  const to = Math.min(characters.length, from + MAX_SHOWN);
  const [head, tail] = [from > 0 ? '…' : '', to < characters.length ? '…' : ''];
  const shown = head + characters.slice(from, to).join('') + tail;
  const gap = ' '.repeat(head.length + width(characters.slice(from, start)));
  const carets = '^'.repeat(Math.max(1, width(characters.slice(start, Math.max(start, Math.min(end, to))))));

  return [shown, gap + carets];
}

function width(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}
