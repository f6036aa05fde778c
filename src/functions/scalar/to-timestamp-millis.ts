import type { ScalarFunction } from '../../expr/function.js';
import { toTimestampFunction } from '../support/to-timestamp-function.js';

export const toTimestampMillis: ScalarFunction = toTimestampFunction('to_timestamp_millis', 'ms', 'ms', {
  summary: 'A timestamp in milliseconds from text or a number of milliseconds.',
  example: { sql: 'SELECT to_timestamp_millis(1500)', result: '1970-01-01T00:00:01.500' },
});
