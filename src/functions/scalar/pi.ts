import { Column } from '../../columnar/column.js';
import { FLOAT64 } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import type { ScalarFunction } from '../../expr/function.js';
import { requireArity } from '../support/signature.js';

export const pi: ScalarFunction = {
  name: 'pi',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'The ratio of a circle to its diameter.',
    example: { sql: 'SELECT pi()', result: '3.141592653589793' },
  },
  coerce(argTypes) {
    requireArity('pi', argTypes, 0);
    return [];
  },
  returnType: () => FLOAT64,
  evaluate({ numRows, arena }) {
    const value = arena.alloc(8);
    heap.f64[value >>> 3] = Math.PI;
    return Column.constant(FLOAT64, 'f64', numRows, value);
  },
};
