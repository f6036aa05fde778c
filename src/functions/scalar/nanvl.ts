import type { ScalarFunction } from '../../expr/function.js';
import { binaryFloatFunction } from '../support/binary-float-function.js';

export const nanvl: ScalarFunction = binaryFloatFunction('nanvl', [], (x, y) => (Number.isNaN(x) ? y : x), {
  summary: 'The first value, or the second where the first is NaN.',
  example: { sql: "SELECT nanvl(CAST('NaN' AS DOUBLE), 2)", result: '2.0' },
});
