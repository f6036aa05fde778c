import { isString, UTF8, UTF8_VIEW } from '../../columnar/data-type.js';
import type { DataType } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import type { ScalarFunction } from '../../expr/function.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { requireArity } from '../support/signature.js';

/** Joins its arguments as text; nulls are skipped, so the result is never null. */
export const concat: ScalarFunction = {
  name: 'concat',
  aliases: [],
  volatility: 'immutable',
  strict: false,
  doc: {
    summary: 'Joins values as text; nulls are skipped.',
    example: { sql: "SELECT concat('a', NULL, 'b', 1)", result: 'ab1' },
  },
  coerce(argTypes) {
    requireArity('concat', argTypes, 1, Infinity);
    return argTypes.map(() => concatenatedType(argTypes));
  },
  returnType: concatenatedType,
  evaluate({ args, numRows, returnType, arena }) {
    const readers = args.map((column) => new ColumnReader(column));
    const out = new ColumnBuilder(returnType, numRows, arena);
    for (let row = 0; row < numRows; row++) {
      let length = 0;
      for (const reader of readers) if (!reader.isNull(row)) length += reader.byteLength(row);
      const target = arena.allocBytes(length);
      let at = target;
      for (const reader of readers) {
        if (reader.isNull(row)) continue;
        const start = reader.start(row);
        const bytes = reader.byteLength(row);
        heap.u8.copyWithin(at, start, start + bytes);
        at += bytes;
      }
      out.setView(row, target, length);
    }
    return out.finish();
  },
};

/** Views win, then large strings. */
export function concatenatedType(argTypes: readonly DataType[]): DataType {
  if (argTypes.some((type) => type.kind === 'Utf8View')) return UTF8_VIEW;
  return argTypes.find((type) => isString(type) && type.kind === 'LargeUtf8') ?? UTF8;
}
