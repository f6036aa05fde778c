import type { ScalarFunction } from '../../expr/function.js';
import { greatestLeastFunction } from '../support/greatest-least-function.js';

export const greatest: ScalarFunction = greatestLeastFunction('greatest', true, {
  summary: 'The largest of the values; nulls are left out.',
  example: { sql: 'SELECT greatest(1, NULL, 3)', result: '3' },
});
