import type { ColumnReader } from '../../columnar/column-reader.js';
import { cachedRegex } from '../../expr/regex/regex-cache.js';
import type { Regex } from '../../expr/regex/regex.js';

/** The compiled pattern of a row; the flags argument may be missing. */
export function regexOf(row: number, pattern: ColumnReader, flags: ColumnReader | undefined): Regex {
  return cachedRegex(pattern.text(row), flags === undefined ? '' : flags.text(row).replaceAll('g', ''));
}

/** Code unit at which the `position`-th character (from 1) begins; undefined when the text is shorter. */
export function unitOfCharacter(text: string, position: number): number | undefined {
  let unit = 0;
  for (let i = 1; i < position; i++) {
    const codePoint = text.codePointAt(unit);
    if (codePoint === undefined) return undefined;
    unit += codePoint > 0xffff ? 2 : 1;
  }
  return unit;
}
