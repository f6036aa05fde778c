import type { ScalarFunction } from '../../expr/function.js';
import { greatestLeastFunction } from '../support/greatest-least-function.js';

export const least: ScalarFunction = greatestLeastFunction('least', false, {
  summary: 'The smallest of the values; nulls are left out.',
  example: { sql: 'SELECT least(4, 2, 3)', result: '2' },
});
