import type { ScalarFunction } from '../../expr/function.js';
import { NANOS_PER_DAY } from '../../expr/temporal.js';
import { clockFunction } from '../support/clock-function.js';
import { nowNanos } from '../support/clock.js';

export const currentTime: ScalarFunction = clockFunction(
  'current_time',
  [],
  { kind: 'Time64', unit: 'ns' },
  () => nowNanos() % NANOS_PER_DAY,
  {
    summary: 'The time of day at which the query began, in UTC.',
    example: { sql: 'SELECT arrow_typeof(current_time())', result: 'Time64(ns)' },
  },
);
