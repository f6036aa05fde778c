import { timestamp } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { clockFunction } from '../support/clock-function.js';
import { nowNanos } from '../support/clock.js';

export const now: ScalarFunction = {
  ...clockFunction('now', ['current_timestamp'], timestamp('ns'), nowNanos, {
    summary: 'The time at which the query began, in UTC.',
    example: { sql: "SELECT now() > TIMESTAMP '2020-01-01T00:00:00'", result: 'true' },
  }),
  nullable: () => false,
};
