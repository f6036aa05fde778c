import type { Column } from '../../columnar/column.js';
import { heap } from '../../columnar/heap.js';
import type { ScalarFunctionInput } from '../../expr/function.js';
import { strictRows } from './strict-rows.js';

/**
 * Case mapping of strings: ASCII text flips bit 0x20 of the letters between `first` and `last`, anything else goes through `map`.
 * Text that does not change is passed on as it lies.
 */
export function changeCase(
  input: ScalarFunctionInput,
  first: number,
  last: number,
  map: (text: string) => string,
): Column {
  return strictRows(input, (row, [text], out) => {
    const start = text!.start(row);
    const length = text!.byteLength(row);
    let change = false;
    for (let at = start; at < start + length; at++) {
      const byte = heap.u8[at]!;
      if (byte >= 0x80) {
        out.setText(row, map(text!.text(row)));
        return;
      }
      change ||= byte >= first && byte <= last;
    }
    if (!change) {
      out.setView(row, start, length);
      return;
    }
    const target = input.arena.allocBytes(length);
    for (let i = 0; i < length; i++) {
      const byte = heap.u8[start + i]!;
      heap.u8[target + i] = byte >= first && byte <= last ? byte ^ 0x20 : byte;
    }
    out.setView(row, target, length);
  });
}
