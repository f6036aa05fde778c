import type { ScalarFunction } from '../../expr/function.js';
import { toTimestampFunction } from '../support/to-timestamp-function.js';

export const toTimestampMicros: ScalarFunction = toTimestampFunction('to_timestamp_micros', 'us', 'us', {
  summary: 'A timestamp in microseconds from text or a number of microseconds.',
  example: { sql: 'SELECT to_timestamp_micros(1500000)', result: '1970-01-01T00:00:01.500' },
});
