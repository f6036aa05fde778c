import type { ScalarFunction } from '../../expr/function.js';
import { toTimestampFunction } from '../support/to-timestamp-function.js';

export const toTimestampNanos: ScalarFunction = toTimestampFunction('to_timestamp_nanos', 'ns', 'ns', {
  summary: 'A timestamp in nanoseconds from text or a number of nanoseconds.',
  example: { sql: 'SELECT to_timestamp_nanos(1500000000)', result: '1970-01-01T00:00:01.500' },
});
