import type { ScalarFunction } from '../../expr/function.js';
import { toTimestampFunction } from '../support/to-timestamp-function.js';

export const toTimestampSeconds: ScalarFunction = toTimestampFunction('to_timestamp_seconds', 's', 's', {
  summary: 'A timestamp in seconds from text or a number of seconds.',
  example: { sql: 'SELECT to_timestamp_seconds(3600)', result: '1970-01-01T01:00:00' },
});
