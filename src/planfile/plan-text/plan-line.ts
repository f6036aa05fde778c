import { DistqError, type ErrorKind, type Span } from '../../base/errors.js';

/** The text of one node of a plan, without its indentation, and where it stands in the file. */
export interface PlanLine {
  readonly text: string;
  /** Two blanks a level. */
  readonly level: number;
  /** 1-based, of the text's first character; the column counts code points. */
  readonly line: number;
  readonly column: number;
}

/** The place of the UTF-16 offset `from` in the line's text, up to `to` where it is given. */
export function placeIn({ text, line, column }: PlanLine, from: number, to?: number): Span {
  const start = column + codePointsBefore(text, from);
  if (to === undefined || to <= from) return { line, column: start };
  return { line, column: start, endLine: line, endColumn: column + codePointsBefore(text, to) };
}

/** Code points of a text before a UTF-16 offset. */
export function codePointsBefore(text: string, end: number): number {
  let count = 0;
  for (const _ of text.slice(0, end)) count++;
  return count;
}

/** An error about the text at an offset of a line: what, and what to do. */
export function lineError(
  line: PlanLine,
  offset: number,
  message: string,
  hint: string,
  kind: ErrorKind = 'parse',
): DistqError {
  return new DistqError(kind, message, { span: placeIn(line, offset), hint });
}
