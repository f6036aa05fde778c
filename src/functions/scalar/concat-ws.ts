import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import type { ScalarFunction } from '../../expr/function.js';
import { requireArity } from '../support/signature.js';
import { concatenatedType } from './concat.js';

/** Joins values as text with a separator between them; nulls are skipped, a null separator gives null. */
export const concatWs: ScalarFunction = {
  name: 'concat_ws',
  aliases: [],
  volatility: 'immutable',
  strict: false,
  doc: {
    summary: 'Joins values as text with a separator; nulls are skipped.',
    example: { sql: "SELECT concat_ws('-', 'a', NULL, 'b')", result: 'a-b' },
  },
  coerce(argTypes) {
    requireArity('concat_ws', argTypes, 2, Infinity);
    return argTypes.map(() => concatenatedType(argTypes));
  },
  returnType: concatenatedType,
  evaluate({ args, numRows, returnType, arena }) {
    const [separator, ...values] = args.map((column) => new ColumnReader(column));
    const out = new ColumnBuilder(returnType, numRows, arena);
    for (let row = 0; row < numRows; row++) {
      if (separator!.isNull(row)) {
        out.setNull(row);
        continue;
      }
      const between = separator!.bytes(row);
      const parts: Uint8Array[] = [];
      for (const value of values) {
        if (value.isNull(row)) continue;
        if (parts.length > 0) parts.push(between);
        parts.push(value.bytes(row));
      }
      out.setBytes(row, Buffer.concat(parts));
    }
    return out.finish();
  },
};
