import { randomUUID } from 'node:crypto';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { UTF8 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { requireArity } from '../support/signature.js';

/** A new random UUID (version 4) for each row. */
export const uuid: ScalarFunction = {
  name: 'uuid',
  aliases: [],
  volatility: 'volatile',
  strict: true,
  doc: { summary: 'A random UUID.', example: { sql: 'SELECT character_length(uuid())', result: '36' } },
  coerce(argTypes) {
    requireArity('uuid', argTypes, 0);
    return [];
  },
  returnType: () => UTF8,
  evaluate({ numRows, arena }) {
    const out = new ColumnBuilder(UTF8, numRows, arena);
    for (let row = 0; row < numRows; row++) out.setText(row, randomUUID());
    return out.finish();
  },
};
