import { codePointsOf } from '../../columnar/utf8.js';
import { DistqError } from '../../base/errors.js';
import type { ColumnReader } from '../../columnar/column-reader.js';

/** Most bytes that one padded or repeated string may have. */
const MAX_BYTES = 64 * 1024 * 1024 - 64;

/** Characters to `length`: cut from the end, or the fill repeated for the missing ones. An empty fill adds nothing. */
export function padding(
  name: string,
  row: number,
  [text, length, fill]: readonly ColumnReader[],
): { readonly kept: string; readonly added: string } {
  const characters = codePointsOf(text!.text(row));
  const wanted = Math.max(length!.i64Number(row), 0);
  const kept = characters.slice(0, wanted).join('');
  const pattern = fill === undefined ? [' '] : codePointsOf(fill.text(row));
  const missing = wanted - characters.length;
  if (missing <= 0 || pattern.length === 0) return { kept, added: '' };
  if (missing > MAX_BYTES) throw tooLong(name, missing);
  const rest = pattern.slice(0, missing % pattern.length).join('');
  return { kept, added: pattern.join('').repeat(Math.floor(missing / pattern.length)) + rest };
}

/** Refuses results that no batch can hold. */
function tooLong(name: string, characters: number): DistqError {
  return new DistqError('execution', `${name} would make a string of ${characters} characters`);
}

export function checkLength(name: string, bytes: number): void {
  if (bytes > MAX_BYTES) throw tooLong(name, bytes);
}
