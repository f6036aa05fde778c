import { ColumnReader } from '../../columnar/column-reader.js';
import type { DataType } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import type { EvalNode } from './eval-node.js';
import { strictColumn } from './strict.js';

/** `a || b` on strings or binaries: null when either is. */
export function compileConcat(type: DataType, left: EvalNode, right: EvalNode): EvalNode {
  return (context, rows) => {
    const [a, b] = [left(context, rows), right(context, rows)];
    const [readA, readB] = [new ColumnReader(a), new ColumnReader(b)];
    return strictColumn(context, rows, [a, b], type, (row, out) => {
      const [lengthA, lengthB] = [readA.byteLength(row), readB.byteLength(row)];
      const to = context.arena.allocBytes(lengthA + lengthB);
      heap.u8.copyWithin(to, readA.start(row), readA.start(row) + lengthA);
      heap.u8.copyWithin(to + lengthA, readB.start(row), readB.start(row) + lengthB);
      out.setView(row, to, lengthA + lengthB);
    });
  };
}
