import type { ScalarFunction } from '../../expr/function.js';
import { arrowCastFunction } from '../support/arrow-cast-function.js';

export const arrowCast: ScalarFunction = arrowCastFunction('arrow_cast', false, {
  summary: 'A cast to an Arrow type by its name.',
  example: { sql: "SELECT arrow_typeof(arrow_cast(1, 'Decimal128(10, 2)'))", result: 'Decimal128(10, 2)' },
});
