import type { ScalarFunction } from '../../expr/function.js';
import { toTimestampFunction } from '../support/to-timestamp-function.js';

/** Text, dates, seconds or other timestamps as Timestamp(ns). */
export const toTimestamp: ScalarFunction = toTimestampFunction('to_timestamp', 'ns', 's', {
  summary: 'A timestamp from text (with optional formats) or from seconds since 1970.',
  example: { sql: "SELECT to_timestamp('2020-05-06T07:08:09')", result: '2020-05-06T07:08:09' },
});
