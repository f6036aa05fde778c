import { DATE32 } from '../../columnar/data-type.js';
import type { ScalarFunction } from '../../expr/function.js';
import { NANOS_PER_DAY } from '../../expr/temporal.js';
import { clockFunction } from '../support/clock-function.js';
import { nowNanos } from '../support/clock.js';

export const currentDate: ScalarFunction = clockFunction(
  'current_date',
  ['today'],
  DATE32,
  () => Number(nowNanos() / NANOS_PER_DAY),
  {
    summary: 'The date at which the query began, in UTC.',
    example: { sql: "SELECT current_date() > DATE '2020-01-01'", result: 'true' },
  },
);
