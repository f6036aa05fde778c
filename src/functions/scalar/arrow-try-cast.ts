import type { ScalarFunction } from '../../expr/function.js';
import { arrowCastFunction } from '../support/arrow-cast-function.js';

export const arrowTryCast: ScalarFunction = arrowCastFunction('arrow_try_cast', true, {
  summary: 'A cast to an Arrow type by its name; null where it fails.',
  example: { sql: "SELECT coalesce(arrow_try_cast('x', 'Int32'), -1)", result: '-1' },
});
