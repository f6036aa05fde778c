import type { Column } from '../../columnar/column.js';
import { heap } from '../../columnar/heap.js';
import type { ScalarFunctionInput } from '../../expr/function.js';
import type { ColumnReader } from '../../columnar/column-reader.js';
import { strictRows } from './strict-rows.js';
import { codePointBytes } from '../../columnar/utf8.js';

/** Takes characters of a set (default: the blank) off the chosen ends. */
export function trim(input: ScalarFunctionInput, atStart: boolean, atEnd: boolean): Column {
  return strictRows(input, (row, [text, characters], out) => {
    let start = text!.start(row);
    let end = start + text!.byteLength(row);
    if (atStart) {
      while (start < end) {
        const bytes = codePointBytes(start, end);
        if (!inSet(characters, row, start, bytes)) break;
        start += bytes;
      }
    }
    if (atEnd) {
      while (start < end) {
        let last = end - 1;
        while (last > start && (heap.u8[last]! & 0xc0) === 0x80) last--;
        if (!inSet(characters, row, last, end - last)) break;
        end = last;
      }
    }
    out.setView(row, start, end - start);
  });
}

function inSet(characters: ColumnReader | undefined, row: number, at: number, bytes: number): boolean {
  if (characters === undefined) return bytes === 1 && heap.u8[at] === 0x20;
  let candidate = characters.start(row);
  const end = candidate + characters.byteLength(row);
  while (candidate < end) {
    const length = codePointBytes(candidate, end);
    if (length === bytes && same(candidate, at, bytes)) return true;
    candidate += length;
  }
  return false;
}

function same(a: number, b: number, bytes: number): boolean {
  for (let i = 0; i < bytes; i++) if (heap.u8[a + i] !== heap.u8[b + i]) return false;
  return true;
}
