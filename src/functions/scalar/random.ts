import { FLOAT64 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { requireArity } from '../support/signature.js';

/** A new number in [0, 1) for each row. */
export const random: ScalarFunction = {
  name: 'random',
  aliases: ['rand'],
  volatility: 'volatile',
  strict: true,
  doc: { summary: 'A random number from 0 up to 1.', example: { sql: 'SELECT random() < 1', result: 'true' } },
  coerce(argTypes) {
    requireArity('random', argTypes, 0);
    return [];
  },
  returnType: () => FLOAT64,
  evaluate({ numRows, arena }) {
    const out = new ColumnBuilder(FLOAT64, numRows, arena);
    for (let row = 0; row < numRows; row++) out.setF64(row, Math.random());
    return out.finish();
  },
};
