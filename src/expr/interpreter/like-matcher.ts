import { DistqError } from '../../base/errors.js';
import { codePointsOf } from '../../columnar/utf8.js';

/** Stands for `_` in a segment: a byte that UTF-8 text never holds. */
export const ANY_CHARACTER = 0xff;

/**
 * A LIKE pattern, taken apart at its `%`. The text must begin with the first segment (unless `openStart`), end with the last (unless
 * `openEnd`) and hold the others between, in order. Segments are UTF-8 bytes; ANY_CHARACTER matches one code point.
 */
export interface LikePattern {
  readonly segments: readonly Uint8Array[];
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

const encoder = new TextEncoder();

/** Parses a pattern. A trailing escape character stands for itself. */
export function parseLikePattern(pattern: string, escape: string): LikePattern {
  const segments: number[][] = [[]];
  let wildcards = 0;
  let openEnd = false;
  let openStart = false;
  const characters = codePointsOf(pattern);
  for (let i = 0; i < characters.length; i++) {
    let character = characters[i]!;
    let literal = false;
    if (character === escape && escape !== '' && i + 1 < characters.length) {
      character = characters[++i]!;
      literal = true;
    }
    if (!literal && character === '%') {
      if (wildcards === 0 && i === 0) openStart = true;
      wildcards++;
      openEnd = true;
      if (segments.at(-1)!.length > 0) segments.push([]);
      continue;
    }
    openEnd = false;
    if (!literal && character === '_') segments.at(-1)!.push(ANY_CHARACTER);
    else segments.at(-1)!.push(...encoder.encode(character));
  }
  // A pattern such as '' or '%' leaves one empty segment, which an open end makes meaningless.
  if (segments.length > 1 && segments.at(-1)!.length === 0) segments.pop();
  if (segments.length === 1 && segments[0]!.length === 0 && wildcards > 0) segments.pop();
  return { segments: segments.map((bytes) => Uint8Array.from(bytes)), openStart, openEnd };
}

/** Whether the text matches: segments are found leftmost first, so the work is at most text × longest segment, never exponential. */
export function matchesLike(text: Uint8Array, pattern: LikePattern): boolean {
  const { segments, openStart, openEnd } = pattern;
  const last = segments.length - 1;
  if (last < 0) return openStart || openEnd || text.length === 0;
  let at = 0;
  for (const [index, segment] of segments.entries()) {
    const anchoredStart = index === 0 && !openStart;
    const anchoredEnd = index === last && !openEnd;
    if (anchoredStart) {
      const end = matchAt(text, at, segment);
      if (end < 0 || (anchoredEnd && end !== text.length)) return false;
      at = end;
    } else if (anchoredEnd) {
      return matchAtEnd(text, at, segment);
    } else {
      const end = find(text, at, segment);
      if (end < 0) return false;
      at = end;
    }
  }
  return true;
}

/** End of the segment when it stands at `at`, else -1. */
function matchAt(text: Uint8Array, at: number, segment: Uint8Array): number {
  let position = at;
  for (const byte of segment) {
    if (position >= text.length) return -1;
    if (byte !== ANY_CHARACTER) {
      if (text[position] !== byte) return -1;
      position++;
      continue;
    }
    position++;
    while (position < text.length && isContinuation(text[position]!)) position++;
  }
  return position;
}

function find(text: Uint8Array, from: number, segment: Uint8Array): number {
  for (let at = from; at <= text.length; at++) {
    if (at < text.length && at > from && isContinuation(text[at]!)) continue;
    const end = matchAt(text, at, segment);
    if (end >= 0) return end;
  }
  return -1;
}

/** Whether the segment, counted back from the end, stands there and not before `from`. */
function matchAtEnd(text: Uint8Array, from: number, segment: Uint8Array): boolean {
  let position = text.length;
  for (let i = segment.length - 1; i >= 0; i--) {
    if (position <= from) return false;
    position--;
    const byte = segment[i]!;
    if (byte === ANY_CHARACTER) {
      while (position > from && isContinuation(text[position]!)) position--;
    } else if (text[position] !== byte) {
      return false;
    }
  }
  return true;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Refuses an escape that is not one character. */
export function requireEscape(escape: string): string {
  if (codePointsOf(escape).length > 1) {
    throw new DistqError('plan', `the escape of LIKE is one character, not "${escape}"`);
  }
  return escape;
}
