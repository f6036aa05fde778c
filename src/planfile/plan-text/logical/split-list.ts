import { typedConstantsAt } from './typed-constant.js';

/** Offsets of the parts of a list. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** The parts that `, ` separates outside of brackets and constants, from `from` to `to`. */
export function splitList(text: string, from: number, to: number): Part[] {
  const parts: Part[] = [];
  let start = from;
  for (const at of topLevel(text, from, to)) {
    if (!text.startsWith(', ', at)) continue;
    parts.push({ from: start, to: at });
    start = at + 2;
  }
  if (start < to || parts.length > 0) parts.push({ from: start, to });
  return parts;
}

/** Where a marker last stands outside of brackets and constants; -1 where it does not. */
export function lastTopLevel(text: string, marker: string, { from, to }: Part): number {
  let found = -1;
  for (const at of topLevel(text, from, to)) if (text.startsWith(marker, at)) found = at;
  return found;
}

/** The offset of the bracket `]]` or `]` that closes a list opened before `from`; -1 where there is none. */
export function closingBracket(text: string, from: number, close: string): number {
  for (const at of topLevel(text, from, text.length)) if (text.startsWith(close, at)) return at;
  return -1;
}

/** Offsets outside of brackets and of quoted constants. */
function* topLevel(text: string, from: number, to: number): Generator<number, void, undefined> {
  let depth = 0;
  for (let i = from; i < to; i++) {
    const char = text[i];
    if (char === '"') {
      // A quote opens a constant only behind its type.
      const constant = /[A-Z][A-Za-z0-9]*\($/.exec(text.slice(Math.max(from, i - 40), i));
      const [first] = constant === null ? [] : typedConstantsAt(text, i - constant[0].length);
      if (first !== undefined) {
        i = first.end - 2;
        continue;
      }
    }
    if (depth === 0) yield i;
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth = Math.max(0, depth - 1);
  }
}
