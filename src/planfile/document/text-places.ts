import type { Span } from '../../base/errors.js';

/** Columns are counted in code points up to here; further right a document on one line would make that quadratic. */
const COUNTED_UNITS = 500;

/** The places of a text by offset. A document has many places and tells of hardly one, so lines are counted at the first question. */
export class TextPlaces {
  readonly text: string;
  /** The offset at which each line begins. */
  #lineStarts: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The place at `start`; with `end` the span up to there. */
  span(start: number, end?: number): Span {
    const from = this.#place(start);
    if (end === undefined) return from;
    const { line: endLine, column: endColumn } = this.#place(end);
    return { ...from, endLine, endColumn };
  }

  #place(offset: number): { line: number; column: number } {
    const starts = (this.#lineStarts ??= lineStarts(this.text));
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const start = starts[low] ?? 0;
    const units = offset - start;
    const column = units > COUNTED_UNITS ? units + 1 : Array.from(this.text.slice(start, offset)).length + 1;
    return { line: low + 1, column };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
